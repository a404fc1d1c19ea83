-- Bans an account from a room, or gives another reason for it; a member is removed. As join_room.
CREATE OR REPLACE FUNCTION ban_member(
  room_ bigint, caller_ bigint, member_ bigint, reason_ text, OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  exists_ boolean := hold_account(member_);
  place   record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := coalesce(room_refused('ban', place.relation, place.archived),
                      CASE WHEN NOT exists_ THEN 'no_account' END,
                      act_refused('ban', place.member_role, place.relation, place.archived));
  IF refusal IS NULL THEN
    INSERT INTO room_ban (room_id, account_id, banned_by, reason) VALUES (room_, member_, caller_, reason_)
      ON CONFLICT (room_id, account_id) DO UPDATE SET banned_by = excluded.banned_by, reason = excluded.reason;
    PERFORM note_room(room_, caller_, 'member.banned', member_,
                      CASE WHEN reason_ IS NOT NULL THEN jsonb_build_object('reason', reason_) END);
    PERFORM close_invitation(room_, member_);
    IF place.member_role IS NOT NULL THEN
      PERFORM end_membership(room_, caller_, member_, 'banned');
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
