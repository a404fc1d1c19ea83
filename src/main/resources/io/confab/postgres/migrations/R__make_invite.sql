-- Makes an invitation to a room, of which at most so many are alive; those that are over are forgotten when
-- there are so many. As join_room.
CREATE OR REPLACE FUNCTION make_invite(
  room_ bigint, caller_ bigint, invite_id_ text, code_hash_ bytea, lifetime_s_ bigint, max_uses_ bigint, most_ bigint,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
  many  boolean;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  refusal := room_refused('invite', place.relation, place.archived);
  IF refusal IS NULL THEN
    many := (SELECT count(*) >= most_ FROM room_invite i WHERE i.room_id = room_);
    IF many THEN
      DELETE FROM room_invite i
       WHERE i.room_id = room_ AND (i.expires_at <= clock_timestamp() OR i.uses >= i.max_uses);
      many := NOT FOUND;
    END IF;
    IF many THEN
      refusal := 'many_invites';
    ELSE
      INSERT INTO room_invite (room_id, invite_id, code_hash, made_by, expires_at, max_uses)
        VALUES (room_, invite_id_, code_hash_, caller_, now() + lifetime_s_ * interval '1 second', max_uses_);
      PERFORM note_room(room_, caller_, 'invite.made', NULL, jsonb_build_object('invite_id', invite_id_));
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
