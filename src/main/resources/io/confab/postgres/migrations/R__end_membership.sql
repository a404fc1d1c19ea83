-- Ends a membership in a locked room with the next rev, and the invitations that the member made.
CREATE OR REPLACE FUNCTION end_membership(room_ bigint, actor_ bigint, member_ bigint, reason_ text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  rev_    bigint;
  said    bigint;
  members bigint;
BEGIN
  SELECT r.member_count INTO members FROM room r WHERE r.room_id = room_;
  IF has_receipts(members - 1) AND NOT has_receipts(members) THEN
    PERFORM begin_receipts(room_, member_);
  END IF;
  SELECT p.last_rev + 1, p.last_seq INTO rev_, said FROM room_position p WHERE p.room_id = room_;
  UPDATE member_span s SET to_rev = rev_, seen_to_seq = said
   WHERE s.room_id = room_ AND s.account_id = member_ AND s.to_rev IS NULL;
  DELETE FROM room_member m WHERE m.room_id = room_ AND m.account_id = member_;
  PERFORM end_invites(room_, member_);
  UPDATE room r SET member_count = members - 1 WHERE r.room_id = room_;
  IF is_big(members) THEN
    PERFORM tell_room(room_, actor_, 'members', jsonb_build_object('rev_from', rev_, 'joined', 0, 'left', 1),
                      member_, reason_);
  ELSE
    PERFORM tell_room(room_, actor_, 'member.left',
                      jsonb_build_object('account_id', id_text(member_), 'reason', reason_)
                        || CASE WHEN has_receipts(members - 1) AND NOT has_receipts(members)
                             THEN jsonb_build_object('receipts', true) ELSE '{}' END);
  END IF;
END $$;
