-- The same for what is done to an account: on admins and owners it needs another right besides.
-- role_: of the account in the room; null where it has none.
CREATE OR REPLACE FUNCTION act_refused(right_ text, role_ text, relation_ text, archived_ boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce(
    room_refused(right_, relation_, archived_),
    CASE WHEN role_ IN ('owner', 'admin') THEN room_refused('act_on_' || role_, relation_, archived_) END);
END $$;
