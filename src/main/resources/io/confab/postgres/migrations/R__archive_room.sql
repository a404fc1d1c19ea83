-- Archives a room; one that is archived stays so. As join_room.
CREATE OR REPLACE FUNCTION archive_room(room_ bigint, caller_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  refusal := room_refused('archive', place.relation, place.archived);
  IF refusal IS NULL AND NOT place.archived THEN
    PERFORM close_room(room_, caller_);
    PERFORM note_room(room_, caller_, 'room.archived', NULL, NULL);
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
