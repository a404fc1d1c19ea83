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
  free_     bigint[];
  versions_ bigint[];
BEGIN
  owners_ := ARRAY(SELECT DISTINCT q.account_id FROM device_queue q WHERE q.registration_id = ANY (registrations_) ORDER BY 1);
  PERFORM 1 FROM account_identity i WHERE i.account_id = ANY (owners_) ORDER BY i.account_id FOR NO KEY UPDATE;
  owners_ := ARRAY(SELECT DISTINCT q.account_id FROM device_queue q
                    WHERE q.registration_id = ANY (registrations_) AND q.dormant AND NOT q.ended ORDER BY 1);
  -- One that is a target again takes part in what is numbered for all devices of its account. Of the others those that
  -- somebody holds are not waited for: they are put into or acknowledged at this moment.
  PERFORM 1 FROM device_queue q
    WHERE q.account_id = ANY (owners_) ORDER BY q.registration_id FOR NO KEY UPDATE;
  free_ := ARRAY(SELECT q.registration_id FROM device_queue q
                  WHERE q.registration_id = ANY (registrations_) ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED);
  UPDATE device_queue q SET dormant = false, waits_since = clock_timestamp()
    WHERE q.registration_id = ANY (free_) AND NOT q.ended;
  versions_ := ARRAY(SELECT raise_devices(o.account_id)
                       FROM unnest(owners_) WITH ORDINALITY AS o (account_id, i) ORDER BY o.i);
  RETURN QUERY SELECT o.account_id, o.version FROM unnest(owners_, versions_) AS o (account_id, version);
END $$;
