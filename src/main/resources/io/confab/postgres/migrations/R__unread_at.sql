-- How many messages a member has not read in a room, and in how many of those it is mentioned: messages above a place that
-- are neither its own nor deleted. ordinal_ and own_ are those of the place, as marker keeps them. What is above is visible:
-- a place is never before what the membership lets the member see. Costs the same however many members, messages and
-- unread messages there are, but for deleted ones and mentions above the place, which are counted: those of all members by
-- sender, so that a million of them are counted in tenths of a second. Where nothing is above the place, nothing but the
-- position of the room is read.
CREATE OR REPLACE FUNCTION unread_at(account_ bigint, room_ bigint, place_ bigint, ordinal_ bigint, own_ bigint)
RETURNS TABLE (unread bigint, mentions bigint)
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.last_seq > place_
           THEN p.countable - ordinal_ + own_
                - (SELECT m.sent FROM room_member m WHERE m.room_id = room_ AND m.account_id = account_)
                - (SELECT count(*) FROM message x
                    WHERE x.room_id = room_ AND x.seq > place_ AND x.deleted_at IS NOT NULL
                      AND x.sender_id <> account_)
           ELSE 0 END,
         CASE WHEN p.last_seq > place_
           THEN (SELECT count(*) FROM mention n
                  WHERE n.account_id = account_ AND n.room_id = room_ AND n.seq > place_)
                + (SELECT coalesce(sum(s.n), 0)::bigint
                     FROM (SELECT n.sender_id, count(*) AS n FROM mention n
                            WHERE n.account_id = 0 AND n.room_id = room_ AND n.seq > place_
                            GROUP BY n.sender_id OFFSET 0) s
                    WHERE s.sender_id <> account_ AND NOT has_blocked(account_, s.sender_id))
                - (SELECT count(*) FROM mention o
                    WHERE o.account_id = account_ AND o.room_id = room_ AND o.seq > place_
                      AND EXISTS (SELECT FROM mention n
                                   WHERE n.account_id = 0 AND n.room_id = room_ AND n.seq = o.seq)
                      AND NOT has_blocked(account_, o.sender_id))
           ELSE 0 END
    FROM (SELECT * FROM room_position p WHERE p.room_id = room_ LIMIT 1) p
$$;
