-- Gives a member of a locked room another role. Owners are not muted, and the log says so; the invitations of
-- one who may invite no longer end.
CREATE OR REPLACE FUNCTION give_role(room_ bigint, actor_ bigint, member_ bigint, role_ text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  was_muted boolean;
BEGIN
  SELECT m.muted_until > clock_timestamp() INTO was_muted
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = member_;
  IF role_ = 'owner' THEN
    DELETE FROM room_mute m WHERE m.room_id = room_ AND m.account_id = member_;
    IF was_muted THEN
      PERFORM tell_room(room_, actor_, 'member.muted', jsonb_build_object('account_id', id_text(member_)));
    END IF;
  END IF;
  UPDATE room_member m
     SET role = role_, muted_until = CASE WHEN role_ <> 'owner' THEN m.muted_until END
   WHERE m.room_id = room_ AND m.account_id = member_;
  IF role_ = 'member' THEN
    PERFORM end_invites(room_, member_);
  END IF;
  PERFORM tell_room(room_, actor_, 'member.role',
                    jsonb_build_object('account_id', id_text(member_), 'role', role_));
END $$;
