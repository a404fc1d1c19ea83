-- Ends sends whose time is over, so many at most, and answers how many: their envelopes keep their numbers and lose what they
-- hold. One node at a time: for another one nothing is due.
CREATE OR REPLACE FUNCTION expire_envelopes(most_ bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  due_      bigint[];
  payloads_ bigint[];
  accounts_ bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('confab expiry of envelopes', 0)) THEN
    RETURN 0;
  END IF;
  due_ := ARRAY(SELECT p.payload_id FROM envelope_payload p WHERE p.due_at <= clock_timestamp()
                 ORDER BY p.due_at LIMIT most_);
  IF due_ = '{}' THEN
    RETURN 0;
  END IF;
  PERFORM 1 FROM device_queue q
    WHERE q.registration_id = ANY (ARRAY(SELECT DISTINCT e.registration_id FROM envelope e WHERE e.payload_id = ANY (due_)))
    ORDER BY q.registration_id FOR NO KEY UPDATE;
  SELECT array_agg(d.payload_id), array_agg(d.account_id) INTO payloads_, accounts_
    FROM (SELECT DISTINCT e.payload_id, (SELECT q.account_id FROM device_queue q
                                          WHERE q.registration_id = e.registration_id) AS account_id
            FROM envelope e WHERE e.payload_id = ANY (due_)) d;
  UPDATE envelope e SET payload_id = NULL, body = NULL WHERE e.payload_id = ANY (due_);
  PERFORM fail_envelopes(payloads_, accounts_, 'expired');
  DELETE FROM envelope_payload p WHERE p.payload_id = ANY (due_);
  RETURN cardinality(due_);
END $$;
