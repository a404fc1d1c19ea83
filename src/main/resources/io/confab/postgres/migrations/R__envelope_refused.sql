-- Why an envelope of a sender that is not entitled is refused. The room is locked. The rights are those of RoomRight.
CREATE OR REPLACE FUNCTION envelope_refused(room_ bigint, sender_ bigint, registration_ bigint, now_ timestamptz)
RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  place  record;
  member record;
BEGIN
  SELECT r.type, p.archived, p.blocked, p.sealed INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  IF NOT FOUND THEN
    RETURN CASE WHEN room_ = 0 THEN 'no_keys' ELSE 'not_found' END;
  END IF;
  SELECT m.muted_until INTO member FROM room_member m WHERE m.room_id = room_ AND m.account_id = sender_;
  IF NOT FOUND THEN
    RETURN stranger_refused(room_, sender_, place.type);
  END IF;
  RETURN CASE
    WHEN place.archived THEN 'archived'
    WHEN place.blocked THEN 'blocked'
    WHEN NOT place.sealed THEN 'not_sealed'
    WHEN registration_ IS NULL THEN 'no_keys'
    WHEN member.muted_until > now_ THEN 'muted'
    ELSE 'slow_mode' END;
END $$;
