-- Notes which messages accounts cannot get any more, of sends of which they have just lost envelopes (payloads_[i] by
-- accounts_[i], each once): no device of the account has one left or has acknowledged it. All queues that are concerned are
-- locked, so what is delivered never fails, and nothing fails twice. What an account said itself fails for nobody.
CREATE OR REPLACE FUNCTION fail_envelopes(payloads_ bigint[], accounts_ bigint[], reason_ text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO delivery_failure (room_id, seq, account_id, reason, failed_at)
    SELECT p.room_id, p.room_seq, d.account_id, reason_, clock_timestamp()
      FROM unnest(payloads_, accounts_) AS d (payload_id, account_id)
      CROSS JOIN LATERAL (SELECT * FROM envelope_payload p WHERE p.payload_id = d.payload_id LIMIT 1) p
     WHERE p.room_seq IS NOT NULL AND p.sender_id <> d.account_id
       AND NOT EXISTS (SELECT FROM (SELECT * FROM device_queue q WHERE q.account_id = d.account_id OFFSET 0) q
                        CROSS JOIN LATERAL (SELECT FROM envelope e
                                             WHERE e.payload_id = d.payload_id AND e.registration_id = q.registration_id
                                             LIMIT 1) e)
       AND NOT EXISTS (SELECT FROM delivery_span s
                        WHERE s.room_id = p.room_id AND s.account_id = d.account_id
                          AND p.room_seq BETWEEN s.from_seq AND s.to_seq)
     ORDER BY p.room_id, p.room_seq, d.account_id
  ON CONFLICT DO NOTHING;
END $$;
