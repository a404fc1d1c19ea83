-- Forgets what an account that was removed had shown and kept, also that its devices had keys: neither it nor they come
-- back. What it could not send or read goes too. Its devices are gone before.
CREATE OR REPLACE FUNCTION forget_keys(account_ bigint) RETURNS void
LANGUAGE sql VOLATILE AS $$
  DELETE FROM account_identity i WHERE i.account_id = account_;
  DELETE FROM device_key k WHERE k.account_id = account_;
  DELETE FROM vault v WHERE v.account_id = account_;
  DELETE FROM dead_letter l WHERE l.account_id = account_;
$$;
