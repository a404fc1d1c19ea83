-- Why a message that is not entitled is refused. The room is locked, its counters are not raised yet. The
-- rights are those of RoomRight. seated_: the sender is inside, where the room has an inside.
CREATE OR REPLACE FUNCTION send_refused(
  room_ bigint, sender_ bigint, reply_to_ bigint, now_ timestamptz, seated_ boolean) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  place  record;
  member record;
BEGIN
  SELECT r.type, p.archived, p.blocked, p.sealed, p.capped, p.last_seq INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  IF NOT FOUND THEN
    RETURN 'not_found';
  END IF;
  SELECT m.sees_all, m.muted_until INTO member
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = sender_;
  IF NOT FOUND THEN
    RETURN stranger_refused(room_, sender_, place.type);
  END IF;
  RETURN CASE
    WHEN place.archived THEN 'archived'
    WHEN place.blocked THEN 'blocked'
    WHEN place.capped AND NOT seated_ THEN 'no_seat'
    WHEN member.muted_until > now_ THEN 'muted'
    WHEN place.sealed THEN 'encrypted'
    WHEN reply_to_ NOT BETWEEN 1 AND place.last_seq
         OR NOT (member.sees_all OR reply_to_ IS NULL OR span_shows(room_, sender_, reply_to_)) THEN 'bad_reply'
    ELSE 'slow_mode' END;
END $$;
