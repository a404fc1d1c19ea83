-- The unread counts of markers (accounts[i] in rooms[i]) whose place is before a message (seqs[i]; null: any) that is not
-- the account's own, with the totals of their accounts.
--
--   last_seq     the last message of the room that was looked at
--   version      of two calls the one that saw more has the higher: how many transactions had ended
CREATE OR REPLACE FUNCTION unread_news(accounts bigint[], rooms bigint[], seqs bigint[])
RETURNS TABLE (account_id bigint, room_id bigint, unread bigint, mentions bigint, total bigint, last_seq bigint, version bigint)
LANGUAGE sql STABLE AS $$
  SELECT a.account_id, u.room_id, u.unread, u.mentions, u.total::bigint, p.last_seq,
         pg_snapshot_xmax(s.now_)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(s.now_))
    FROM (SELECT pg_current_snapshot() AS now_) s,
         (SELECT d.account_id, array_agg(d.room_id) AS rooms
            FROM unnest(accounts, rooms, seqs) AS d (account_id, room_id, seq)
            CROSS JOIN LATERAL (SELECT FROM marker k
                                 WHERE k.account_id = d.account_id AND k.room_id = d.room_id
                                   AND (d.seq IS NULL OR least(k.read_seq, k.unread_from - 1) < d.seq) LIMIT 1) k
           WHERE d.seq IS NULL
              OR NOT EXISTS (SELECT FROM message x
                              WHERE x.room_id = d.room_id AND x.seq = d.seq AND x.sender_id = d.account_id)
           GROUP BY d.account_id) a
    CROSS JOIN LATERAL (SELECT c.*, sum(c.unread) OVER () AS total FROM unread_counts(a.account_id) c) u
    CROSS JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = u.room_id LIMIT 1) p
   WHERE u.room_id = ANY (a.rooms)
$$;
