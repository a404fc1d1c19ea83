-- Lets an account into a locked room, as a member from the next rev on. What it may see of what was said
-- before, the room's history rule says. It is muted as it was when it left, and its pace begins anew.
CREATE OR REPLACE FUNCTION begin_membership(room_ bigint, actor_ bigint, member_ bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  rev_    bigint;
  seen    bigint;
  members bigint;
BEGIN
  SELECT p.last_rev + 1, CASE r.history WHEN 'all' THEN 1 ELSE p.last_seq + 1 END INTO rev_, seen
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  INSERT INTO room_member (room_id, account_id, role, sees_all, muted_until, last_sent_at)
    VALUES (room_, member_, 'member', seen = 1,
            (SELECT m.until FROM room_mute m WHERE m.room_id = room_ AND m.account_id = member_),
            (SELECT now() FROM member_span s WHERE s.room_id = room_ AND s.account_id = member_ LIMIT 1));
  PERFORM close_invitation(room_, member_);
  INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq) VALUES (room_, member_, rev_, seen);
  UPDATE room r SET member_count = r.member_count + 1 WHERE r.room_id = room_
    RETURNING r.member_count INTO members;
  IF is_big(members) THEN
    PERFORM tell_room(room_, actor_, 'members', jsonb_build_object('rev_from', rev_, 'joined', 1, 'left', 0));
  ELSE
    PERFORM tell_room(room_, actor_, 'member.joined', jsonb_build_object('account_id', id_text(member_)));
  END IF;
END $$;
