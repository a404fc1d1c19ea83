-- Ends a ban, if there is one. As join_room.
CREATE OR REPLACE FUNCTION unban_member(
  room_ bigint, caller_ bigint, member_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := room_refused('ban', place.relation, place.archived);
  IF refusal IS NULL THEN
    DELETE FROM room_ban b WHERE b.room_id = room_ AND b.account_id = member_;
    IF FOUND THEN
      PERFORM note_room(room_, caller_, 'member.unbanned', member_, NULL);
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
