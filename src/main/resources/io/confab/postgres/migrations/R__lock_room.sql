-- Locks a room until the end of the transaction and reads what is decided by, in statements of their own, which
-- see what was committed while the lock was waited for. Lock order: accounts that are held, then the room,
-- then the rest.
--   rev                   the newest one
--   members, most         how many are in the room and may be
--   relation              of the caller, as RoomRelation names it; null: there is no such room
--   member_role           of the other account, null where it is no member
--   member_muted_until    null where it may speak
--   heir, heir_role       who would own the room without the caller, if that is an owner: of the others the
--                         oldest owner, else the oldest admin, else the oldest member
CREATE OR REPLACE FUNCTION lock_room(
  room_ bigint, caller_ bigint, member_ bigint,
  OUT rev bigint, OUT archived boolean, OUT type text, OUT members bigint, OUT most bigint, OUT relation text,
  OUT member_role text, OUT member_muted_until timestamptz, OUT heir bigint, OUT heir_role text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' AS $$
BEGIN
  SELECT p.last_rev, p.archived INTO rev, archived
    FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT r.type, r.member_count, r.max_members INTO type, members, most FROM room r WHERE r.room_id = room_;
  SELECT CASE type WHEN 'direct' THEN 'partner' ELSE m.role END INTO relation
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = caller_;
  IF NOT FOUND THEN
    relation := CASE
      WHEN EXISTS (SELECT FROM room_ban b WHERE b.room_id = room_ AND b.account_id = caller_) THEN 'banned'
      WHEN type = 'channel' THEN 'visitor'
      ELSE 'stranger' END;
  END IF;
  SELECT m.role, CASE WHEN m.muted_until > clock_timestamp() THEN m.muted_until END
    INTO member_role, member_muted_until
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = member_;
  IF relation = 'owner' THEN
    SELECT m.account_id, m.role INTO heir, heir_role
      FROM room_member m WHERE m.room_id = room_ AND m.account_id <> caller_
     ORDER BY m.role = 'owner' DESC, m.role = 'admin' DESC, m.joined_at, m.account_id LIMIT 1;
  END IF;
END $$;
