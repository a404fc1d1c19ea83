-- Declines the invitation to a room; where there is none, nothing is to be done, and nobody learns whether there
-- is such a room. As join_room.
CREATE OR REPLACE FUNCTION decline_invitation(room_ bigint, caller_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  IF close_invitation(room_, caller_) THEN
    before := place.rev;
  END IF;
END $$;
