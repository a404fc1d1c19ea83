-- Joins a room, with the code of an invitation or invited by name; for a member it changes nothing. Each
-- change of a room is one such call and one transaction, so that its lock is never held between two:
--   refusal   why it is refused, else null
--   before    the room's rev before the change; null where it is refused
-- The rights are those of RoomRight (room_refused).
CREATE OR REPLACE FUNCTION join_room(
  room_ bigint, caller_ bigint, code_hash_ bytea, invited_ boolean DEFAULT false,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  exists_ boolean := hold_account(caller_);
  place   record;
  over    boolean;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, caller_);
  refusal := coalesce(
    CASE WHEN invited_ AND place.member_role IS NULL AND NOT is_invited(room_, caller_) THEN 'no_invite' END,
    room_refused(CASE WHEN invited_ OR code_hash_ IS NOT NULL THEN 'join_by_invite' ELSE 'join' END,
                 place.relation, place.archived));
  IF refusal IS NULL AND place.member_role IS NULL THEN
    IF code_hash_ IS NOT NULL THEN
      SELECT i.expires_at <= clock_timestamp() OR i.uses >= i.max_uses INTO over
        FROM room_invite i WHERE i.room_id = room_ AND i.code_hash = code_hash_;
      refusal := CASE WHEN NOT FOUND THEN 'no_invite' WHEN over THEN 'invite_over' END;
    END IF;
    refusal := coalesce(refusal, CASE WHEN place.members >= place.most THEN 'room_full'
                                      WHEN NOT exists_ THEN 'no_account'
                                      WHEN NOT fits_sealed(room_, ARRAY[caller_]) THEN 'seal_full' END);
    IF refusal IS NULL THEN
      UPDATE room_invite i SET uses = i.uses + 1 WHERE i.room_id = room_ AND i.code_hash = code_hash_;
      PERFORM begin_memberships(room_, caller_, ARRAY[caller_]);
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
