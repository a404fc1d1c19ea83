-- Whether one of two accounts blocked the other.
CREATE OR REPLACE FUNCTION is_blocked(one bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM block b WHERE b.account_id = one AND b.blocked_id = other)
      OR EXISTS (SELECT FROM block b WHERE b.account_id = other AND b.blocked_id = one)
$$;
