-- Makes a member the owner of a room, and the caller, who was it, an admin. As join_room.
CREATE OR REPLACE FUNCTION transfer_room(
  room_ bigint, caller_ bigint, member_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := coalesce(room_refused('transfer', place.relation, place.archived),
                      CASE WHEN place.member_role IS NULL THEN 'no_member'
                           WHEN member_ = caller_ THEN 'is_owner' END);
  IF refusal IS NULL THEN
    IF place.member_role <> 'owner' THEN
      PERFORM give_role(room_, caller_, member_, 'owner');
    END IF;
    PERFORM give_role(room_, caller_, caller_, 'admin');
    PERFORM note_room(room_, caller_, 'owner.changed', member_, NULL);
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
