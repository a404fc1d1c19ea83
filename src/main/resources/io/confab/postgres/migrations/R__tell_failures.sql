-- Messages that do not arrive and whose senders were not told yet, so many at most; each is told by this once. Of large rooms
-- they read by themselves.
CREATE OR REPLACE FUNCTION tell_failures(most_ bigint)
RETURNS TABLE (room_id bigint, seq bigint, account_id bigint, reason text, sender_id bigint)
LANGUAGE sql VOLATILE AS $$
  WITH untold AS MATERIALIZED (
    SELECT f.room_id, f.seq, f.account_id FROM delivery_failure f WHERE NOT f.told
     ORDER BY f.failed_at LIMIT most_ FOR NO KEY UPDATE SKIP LOCKED),
  told AS (
    UPDATE delivery_failure f SET told = true FROM untold u
     WHERE f.room_id = u.room_id AND f.seq = u.seq AND f.account_id = u.account_id
    RETURNING f.room_id, f.seq, f.account_id, f.reason)
  SELECT t.room_id, t.seq, t.account_id, t.reason, CASE WHEN has_receipts(r.member_count) THEN m.sender_id END
    FROM told t
    CROSS JOIN LATERAL (SELECT * FROM message m WHERE m.room_id = t.room_id AND m.seq = t.seq LIMIT 1) m
    CROSS JOIN LATERAL (SELECT * FROM room r WHERE r.room_id = t.room_id LIMIT 1) r
   ORDER BY t.room_id, t.seq, t.account_id
$$;
