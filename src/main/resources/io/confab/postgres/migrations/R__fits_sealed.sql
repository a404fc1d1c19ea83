-- Whether so many people may be in a locked room, with these accounts besides its members: of a sealed one 256 with 1,000
-- devices with keys in all.
CREATE OR REPLACE FUNCTION fits_sealed(room_ bigint, joining_ bigint[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT (SELECT p.sealed FROM room_position p WHERE p.room_id = room_) OR can_be_sealed(room_, joining_);
END $$;
