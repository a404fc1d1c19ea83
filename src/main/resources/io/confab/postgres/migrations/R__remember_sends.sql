-- Notes of the senders with a seq how many messages they sent now and, in rooms that are slow, when.
CREATE OR REPLACE FUNCTION remember_sends(now_ timestamptz, room_ids bigint[], sender_ids bigint[], seqs bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room_member m
     SET sent = m.sent + d.n,
         last_sent_at = CASE WHEN (SELECT p.slow_mode_s FROM room_position p WHERE p.room_id = d.room_id) > 0
                          THEN now_ ELSE m.last_sent_at END
    FROM (SELECT s.room_id, s.sender_id, count(*) AS n
            FROM unnest(room_ids, sender_ids, seqs) AS s (room_id, sender_id, seq)
           WHERE s.seq IS NOT NULL GROUP BY s.room_id, s.sender_id) d
   WHERE m.room_id = d.room_id AND m.account_id = d.sender_id;
END $$;
