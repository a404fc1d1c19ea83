-- Ends a mute. Who is not muted stays so; a former member is not muted any more when it comes back.
-- As join_room.
CREATE OR REPLACE FUNCTION unmute_member(
  room_ bigint, caller_ bigint, member_ bigint, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := act_refused('mute', place.member_role, place.relation, place.archived);
  IF refusal IS NULL THEN
    DELETE FROM room_mute m WHERE m.room_id = room_ AND m.account_id = member_;
    IF FOUND THEN
      UPDATE room_member m SET muted_until = NULL WHERE m.room_id = room_ AND m.account_id = member_;
      IF place.member_role IS NOT NULL THEN
        PERFORM tell_room(room_, caller_, 'member.muted', jsonb_build_object('account_id', id_text(member_)));
      END IF;
      PERFORM note_room(room_, caller_, 'member.unmuted', member_, NULL);
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
