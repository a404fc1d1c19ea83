-- Makes dormant the devices that left something unacknowledged for so long, so many at most: what waits there is over, and goes
-- by drain_queues. Answers the accounts whose devices are others now, with the new version of their lists.
CREATE OR REPLACE FUNCTION make_dormant(silent_ms bigint, most_ bigint)
RETURNS TABLE (account_id bigint, version bigint, devices bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  silent_   bigint[];
  owners_   bigint[];
  versions_ bigint[];
BEGIN
  SELECT array_agg(d.registration_id), array_agg(DISTINCT d.account_id) INTO silent_, owners_
    FROM (SELECT q.registration_id, q.account_id FROM device_queue q
           WHERE q.gone_seq < q.last_seq AND NOT q.dormant
             AND q.waits_since <= clock_timestamp() - silent_ms * interval '1 ms'
           ORDER BY q.registration_id LIMIT most_) d;
  IF silent_ IS NULL THEN
    RETURN;
  END IF;
  -- The list of an account's devices is locked before its queues; then it is looked whether they are silent still.
  PERFORM 1 FROM account_identity i WHERE i.account_id = ANY (owners_) ORDER BY i.account_id FOR NO KEY UPDATE;
  silent_ := ARRAY(SELECT q.registration_id FROM device_queue q
                    WHERE q.registration_id = ANY (silent_) AND q.gone_seq < q.last_seq AND NOT q.dormant
                      AND q.waits_since <= clock_timestamp() - silent_ms * interval '1 ms'
                    ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED);
  owners_ := ARRAY(SELECT DISTINCT q.account_id FROM device_queue q WHERE q.registration_id = ANY (silent_) ORDER BY 1);
  versions_ := ARRAY(SELECT raise_devices(o.account_id)
                       FROM unnest(owners_) WITH ORDINALITY AS o (account_id, i) ORDER BY o.i);
  UPDATE device_queue q SET dormant = true WHERE q.registration_id = ANY (silent_);
  RETURN QUERY
    SELECT o.account_id, o.version, (SELECT count(*) FROM device_queue q
                                      WHERE q.account_id = o.account_id AND q.registration_id = ANY (silent_))
      FROM unnest(owners_, versions_) AS o (account_id, version);
END $$;
