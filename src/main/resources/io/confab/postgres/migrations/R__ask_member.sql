-- Asks an account to join a locked room, once a day; one that is asked already stays so. The account is held.
-- Why not: asked_lately | many_invitations
CREATE OR REPLACE FUNCTION ask_member(room_ bigint, by_ bigint, account_ bigint) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF is_invited(room_, account_) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM invitation i WHERE i.room_id = room_ AND i.account_id = account_
                AND i.ts > now() - interval '1 day') THEN
    RETURN 'asked_lately';
  END IF;
  IF has_many_invitations(account_, by_) THEN
    RETURN 'many_invitations';
  END IF;
  INSERT INTO invitation (room_id, account_id, invited_by) VALUES (room_, account_, by_)
    ON CONFLICT (account_id, room_id) DO UPDATE
      SET invited_by = excluded.invited_by, ts = now(), open = true, changed_at = now();
  RETURN NULL;
END $$;
