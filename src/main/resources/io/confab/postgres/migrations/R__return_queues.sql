-- Devices that were away are back: none of them is made dormant for what waited until now, and one that is dormant is a target
-- again. Answers the accounts whose devices are others by that, with the new version of their lists.
--
-- The list of an account's devices is locked before its queues: who makes them dormant at this moment has done it by then, and
-- who comes later finds here that they are back.
CREATE OR REPLACE FUNCTION return_queues(registrations_ bigint[]) RETURNS TABLE (account_id bigint, version bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  owners_   bigint[];
  versions_ bigint[];
BEGIN
  owners_ := ARRAY(SELECT DISTINCT q.account_id FROM device_queue q WHERE q.registration_id = ANY (registrations_) ORDER BY 1);
  PERFORM 1 FROM account_identity i WHERE i.account_id = ANY (owners_) ORDER BY i.account_id FOR NO KEY UPDATE;
  owners_ := ARRAY(SELECT DISTINCT q.account_id FROM device_queue q
                    WHERE q.registration_id = ANY (registrations_) AND q.dormant AND NOT q.ended ORDER BY 1);
  -- One that is a target again takes part in what is numbered for all devices of its account.
  PERFORM 1 FROM device_queue q
    WHERE q.registration_id = ANY (ARRAY(SELECT k.registration_id FROM device_queue k WHERE k.account_id = ANY (owners_)
                                         UNION SELECT r.id FROM unnest(registrations_) AS r (id)))
    ORDER BY q.registration_id FOR NO KEY UPDATE;
  UPDATE device_queue q SET dormant = false, waits_since = clock_timestamp()
    WHERE q.registration_id = ANY (registrations_) AND NOT q.ended;
  versions_ := ARRAY(SELECT raise_devices(o.account_id)
                       FROM unnest(owners_) WITH ORDINALITY AS o (account_id, i) ORDER BY o.i);
  RETURN QUERY SELECT o.account_id, o.version FROM unnest(owners_, versions_) AS o (account_id, version);
END $$;
