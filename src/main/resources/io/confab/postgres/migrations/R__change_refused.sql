-- Why the caller may not change a message; null where the caller may:
--   not_found | forbidden | archived | blocked | encrypted | no_seat | muted | no_message | not_yours | gone
-- encrypted: in a sealed room nothing is edited; what was said before may be deleted.
-- deletes: admins and owners may delete messages of others, but not in direct rooms; being muted or
-- blocked keeps nobody from deleting. seated_: as of send_refused. The room is locked. The rights are those of RoomRight.
CREATE OR REPLACE FUNCTION change_refused(
  room_ bigint, seq_ bigint, caller_ bigint, deletes boolean, now_ timestamptz, seated_ boolean) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place  record;
  member record;
  target record;
BEGIN
  SELECT r.type, r.sealed_from_seq, p.archived, p.blocked, p.capped INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  SELECT m.role, m.sees_all, m.muted_until INTO member
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = caller_;
  IF NOT FOUND THEN
    RETURN stranger_refused(room_, caller_, place.type);
  END IF;
  IF place.archived THEN
    RETURN 'archived';
  END IF;
  IF place.blocked AND NOT deletes THEN
    RETURN 'blocked';
  END IF;
  IF place.sealed_from_seq IS NOT NULL AND (NOT deletes OR seq_ >= place.sealed_from_seq) THEN
    RETURN 'encrypted';
  END IF;
  IF place.capped AND NOT seated_ THEN
    RETURN 'no_seat';
  END IF;
  IF member.muted_until > now_ AND NOT deletes THEN
    RETURN 'muted';
  END IF;
  SELECT m.sender_id, m.deleted_at INTO target FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
  IF NOT FOUND OR NOT (member.sees_all OR span_shows(room_, caller_, seq_)) THEN
    RETURN 'no_message';
  END IF;
  IF target.sender_id <> caller_
     AND NOT (deletes AND member.role IN ('owner', 'admin') AND place.type <> 'direct') THEN
    RETURN 'not_yours';
  END IF;
  RETURN CASE WHEN target.deleted_at IS NOT NULL THEN 'gone' END;
END $$;
