-- The unread counts of markers (accounts[i] in rooms[i]) whose place is before a message (seqs[i]; null: any) that is not
-- the account's own, with the totals of their accounts. For a total each room of the account is looked at, once for all that
-- is asked about the account, but nobody counts who is mentioned in the others.
--
--   last_seq     the last message of the room that was looked at
--   last_rev     up to where the room was looked at
--   version      of two calls the one that saw more has the higher: how many transactions had ended
CREATE OR REPLACE FUNCTION unread_news(accounts bigint[], rooms bigint[], seqs bigint[])
RETURNS TABLE (account_id bigint, room_id bigint, unread bigint, mentions bigint, total bigint, last_seq bigint, last_rev bigint,
  version bigint)
LANGUAGE sql STABLE AS $$
  SELECT a.account_id, k.room_id, u.unread, u.mentions, a.total, p.last_seq, p.last_rev,
         pg_snapshot_xmax(s.now_)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(s.now_))
    FROM (SELECT pg_current_snapshot() AS now_) s,
         (SELECT g.*, (SELECT sum(c.unread)::bigint FROM unread_counts(g.account_id) c) AS total
            FROM (SELECT d.account_id, array_agg(DISTINCT d.room_id) AS rooms
                    FROM unnest(accounts, rooms, seqs) AS d (account_id, room_id, seq)
                    CROSS JOIN LATERAL (SELECT FROM marker k
                                         WHERE k.account_id = d.account_id AND k.room_id = d.room_id
                                           AND (d.seq IS NULL OR least(k.read_seq, k.unread_from - 1) < d.seq) LIMIT 1) k
                   WHERE d.seq IS NULL
                      OR NOT EXISTS (SELECT FROM message x
                                      WHERE x.room_id = d.room_id AND x.seq = d.seq AND x.sender_id = d.account_id)
                   GROUP BY d.account_id) g
          OFFSET 0) a
    CROSS JOIN LATERAL unnest(a.rooms) AS r (room_id)
    CROSS JOIN LATERAL (SELECT * FROM marker k WHERE k.account_id = a.account_id AND k.room_id = r.room_id LIMIT 1) k
    CROSS JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = k.room_id LIMIT 1) p
    CROSS JOIN LATERAL unread_at(a.account_id, k.room_id, least(k.read_seq, k.unread_from - 1), k.ordinal, k.own) u
$$;
