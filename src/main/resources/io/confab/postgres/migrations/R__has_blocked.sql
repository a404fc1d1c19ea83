-- Whether an account blocked another one. That stays so until the transaction ends if the account is held: who
-- blocks changes the row of the account first.
CREATE OR REPLACE FUNCTION has_blocked(account_ bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM block b WHERE b.account_id = account_ AND b.blocked_id = other)
$$;
