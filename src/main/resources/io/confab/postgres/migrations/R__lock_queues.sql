-- Locks the queues of accounts, all of them, in the order of registrations: nothing of these accounts is acknowledged or lost
-- meanwhile but by who locked them.
CREATE OR REPLACE FUNCTION lock_queues(accounts_ bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM 1 FROM device_queue q WHERE q.account_id = ANY (accounts_) ORDER BY q.registration_id FOR NO KEY UPDATE;
END $$;
