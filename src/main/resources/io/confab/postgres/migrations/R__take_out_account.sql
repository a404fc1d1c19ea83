-- Ends the membership of an account that was removed, if there is one. Its heir becomes owner; a room in which
-- it was alone and a direct one, of which the other keeps what was said, are archived. As join_room.
CREATE OR REPLACE FUNCTION take_out_account(room_ bigint, account_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, account_, account_);
  before := place.rev;
  IF place.member_role IS NULL THEN
    RETURN;
  END IF;
  PERFORM end_membership(room_, account_, account_, 'account_removed');
  IF place.type = 'direct' OR place.members = 1 THEN
    IF NOT place.archived THEN
      PERFORM close_room(room_, account_);
    END IF;
  ELSIF place.heir_role <> 'owner' THEN
    PERFORM give_role(room_, account_, place.heir, 'owner');
  END IF;
END $$;
