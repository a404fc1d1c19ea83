-- Whether an account exists and is not removed, nor will be before the transaction ends: the removal of an
-- account ends only the memberships that it finds. To be called before a room is locked.
CREATE OR REPLACE FUNCTION hold_account(account_ bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM 1 FROM account a WHERE a.account_id = account_ AND a.removed_at IS NULL FOR SHARE;
  RETURN FOUND;
END $$;
