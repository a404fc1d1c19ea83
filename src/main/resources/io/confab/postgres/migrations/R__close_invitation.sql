-- Closes the open invitation of an account to a locked room; false where there is none.
CREATE OR REPLACE FUNCTION close_invitation(room_ bigint, account_ bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  was_open boolean := is_invited(room_, account_);
BEGIN
  UPDATE invitation i SET open = false, changed_at = now()
   WHERE i.room_id = room_ AND i.account_id = account_ AND i.open;
  RETURN was_open;
END $$;
