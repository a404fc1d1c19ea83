-- Removes a member from a room, or leaves it; who is no member stays out. The last one to leave archives it; a room always has an owner,
-- unless it is archived. As join_room.
CREATE OR REPLACE FUNCTION remove_member(
  room_ bigint, caller_ bigint, member_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  IF member_ = caller_ THEN
    refusal := coalesce(room_refused('leave', place.relation, place.archived),
                        CASE WHEN place.heir_role <> 'owner' AND NOT place.archived THEN 'last_owner' END);
    IF refusal IS NULL THEN
      PERFORM end_membership(room_, caller_, caller_, 'left');
      IF place.members = 1 AND NOT place.archived THEN
        PERFORM close_room(room_, caller_);
      END IF;
    END IF;
  ELSE
    refusal := act_refused('kick', place.member_role, place.relation, place.archived);
    IF refusal IS NULL AND place.member_role IS NOT NULL THEN
      PERFORM end_membership(room_, caller_, member_, 'removed');
      PERFORM note_room(room_, caller_, 'member.removed', member_, NULL);
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
