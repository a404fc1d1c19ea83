-- Deletes an invitation, which is named by its code or its id; one that is not there stays away. As join_room.
CREATE OR REPLACE FUNCTION delete_invite(
  room_ bigint, caller_ bigint, code_hash_ bytea, invite_id_ text, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
  gone  text;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  refusal := room_refused('invite', place.relation, place.archived);
  IF refusal IS NULL THEN
    DELETE FROM room_invite i
     WHERE i.room_id = room_ AND (i.code_hash = code_hash_ OR i.invite_id = invite_id_)
     RETURNING i.invite_id INTO gone;
    IF gone IS NOT NULL THEN
      PERFORM note_room(room_, caller_, 'invite.deleted', NULL, jsonb_build_object('invite_id', gone));
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
