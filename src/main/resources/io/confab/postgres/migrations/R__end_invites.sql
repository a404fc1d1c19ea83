-- Ends the invitations to a locked room that an account made, which may not invite any more.
CREATE OR REPLACE FUNCTION end_invites(room_ bigint, maker_ bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM room_invite i WHERE i.room_id = room_ AND i.made_by = maker_;
  UPDATE invitation i SET open = false, changed_at = now()
   WHERE i.room_id = room_ AND i.invited_by = maker_ AND i.open;
END $$;
