-- Notes for slow mode who sent now: the senders with a seq, in rooms that are slow.
CREATE OR REPLACE FUNCTION remember_pace(now_ timestamptz, room_ids bigint[], sender_ids bigint[], seqs bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room_member m SET last_sent_at = now_
    FROM unnest(room_ids, sender_ids, seqs) AS d (room_id, sender_id, seq)
   WHERE m.room_id = d.room_id AND m.account_id = d.sender_id AND d.seq IS NOT NULL
     AND (SELECT p.slow_mode_s FROM room_position p WHERE p.room_id = d.room_id) > 0;
END $$;
