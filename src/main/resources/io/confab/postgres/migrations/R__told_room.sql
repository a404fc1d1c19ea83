-- The changes of a room after a rev, in order, also those that the same statement made before.
CREATE OR REPLACE FUNCTION told_room(room_ bigint, after_ bigint) RETURNS SETOF room_change
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN QUERY SELECT c.* FROM room_change c WHERE c.room_id = room_ AND c.rev > after_ ORDER BY c.rev;
END $$;
