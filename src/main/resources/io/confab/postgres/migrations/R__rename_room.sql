-- Names a room. False when a channel has the name.
CREATE OR REPLACE FUNCTION rename_room(room_ bigint, name_ text, name_key_ text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room r SET name = name_, name_key = CASE r.type WHEN 'channel' THEN name_key_ END
   WHERE r.room_id = room_;
  RETURN true;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $$;
