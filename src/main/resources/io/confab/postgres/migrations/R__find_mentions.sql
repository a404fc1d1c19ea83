-- Whom messages mention: of each, accounts ascending, 0 for @all and -1 for @online, as the text of an array;
-- null: nobody.
--   names  of each message, as MentionNames writes them: a blank between mentions, '|' between the names that one
--          may mean; null: none
-- Of these names the first counts that tells somebody: another member of the room who has not blocked the sender.
-- @all and @online are for owners and admins, in rooms of up to 32 members for everybody. The rooms are locked.
CREATE OR REPLACE FUNCTION find_mentions(room_ids bigint[], sender_ids bigint[], names text[]) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT (SELECT array_agg(DISTINCT f.account_id ORDER BY f.account_id)::text
              FROM string_to_table(d.names, ' ') AS n (meant)
             CROSS JOIN LATERAL (
               SELECT c.account_id
                 FROM (SELECT h.place,
                              CASE WHEN h.handle NOT IN ('all', 'online') THEN
                                (SELECT a.account_id FROM account a
                                  WHERE a.handle = h.handle AND a.account_id <> d.sender_id
                                    AND (SELECT true FROM room_member m
                                          WHERE m.room_id = d.room_id AND m.account_id = a.account_id)
                                    AND (SELECT true FROM block b
                                          WHERE b.account_id = a.account_id AND b.blocked_id = d.sender_id) IS NULL)
                              WHEN (SELECT m.role <> 'member'
                                           OR (SELECT r.member_count FROM room r WHERE r.room_id = m.room_id) <= 32
                                      FROM room_member m
                                     WHERE m.room_id = d.room_id AND m.account_id = d.sender_id) THEN
                                CASE h.handle WHEN 'all' THEN 0 ELSE -1 END
                              END AS account_id
                         FROM string_to_table(n.meant, '|') WITH ORDINALITY AS h (handle, place) OFFSET 0) c
                WHERE c.account_id IS NOT NULL
                ORDER BY c.place LIMIT 1) f)
      FROM unnest(room_ids, sender_ids, names) WITH ORDINALITY AS d (room_id, sender_id, names, i)
     ORDER BY d.i);
END $$;
