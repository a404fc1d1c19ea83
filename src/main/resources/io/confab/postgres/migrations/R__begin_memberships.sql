-- Lets accounts into a locked room, as members, each from a rev of its own on, in their order. What they may see of
-- what was said before, the room's history rule says. Each is muted as it was when it left, and its pace begins anew.
CREATE OR REPLACE FUNCTION begin_memberships(room_ bigint, actor_ bigint, members_ bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  joining bigint := cardinality(members_);
  rev_    bigint;
  seq_    bigint;
  seen    bigint;
  members bigint;
BEGIN
  UPDATE room_position p SET last_rev = p.last_rev + joining WHERE p.room_id = room_
    RETURNING p.last_rev - joining, p.last_seq INTO rev_, seq_;
  UPDATE room r SET member_count = r.member_count + joining WHERE r.room_id = room_
    RETURNING r.member_count - joining, CASE r.history WHEN 'all' THEN 1 ELSE seq_ + 1 END INTO members, seen;
  INSERT INTO room_member (room_id, account_id, role, sees_all, muted_until, last_sent_at)
    SELECT room_, m.account_id, 'member', seen = 1,
           (SELECT u.until FROM room_mute u WHERE u.room_id = room_ AND u.account_id = m.account_id),
           (SELECT now() FROM member_span s WHERE s.room_id = room_ AND s.account_id = m.account_id LIMIT 1)
      FROM unnest(members_) AS m (account_id);
  UPDATE invitation i SET open = false, changed_at = now()
   WHERE i.room_id = room_ AND i.account_id = ANY (members_) AND i.open;
  INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
    SELECT room_, m.account_id, rev_ + m.place, seen
      FROM unnest(members_) WITH ORDINALITY AS m (account_id, place);
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    SELECT room_, rev_ + m.place, seq_, CASE WHEN m.counts THEN 'members' ELSE 'member.joined' END, actor_,
           date_trunc('milliseconds', clock_timestamp()),
           CASE WHEN m.counts THEN jsonb_build_object('rev_from', rev_ + m.place, 'joined', 1, 'left', 0)
                ELSE jsonb_build_object('account_id', id_text(m.account_id)) END
      FROM (SELECT account_id, place, is_big(members + place) AS counts
              FROM unnest(members_) WITH ORDINALITY AS o (account_id, place)) m;
END $$;
