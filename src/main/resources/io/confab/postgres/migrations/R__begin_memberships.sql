-- Lets accounts into a locked room, as members, in their order. The log names those with whom the room is not big yet,
-- each under a rev of its own, and tells how many the others are under one more. What they may see of what was said
-- before, the room's history rule says. The log tells when the room begins to be too large for receipts. Each is muted as it was when it left, and its pace begins anew.
CREATE OR REPLACE FUNCTION begin_memberships(room_ bigint, actor_ bigint, members_ bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  joining bigint := cardinality(members_);
  before  bigint;
  named   bigint;
  rev_    bigint;
  seq_    bigint;
  seen    bigint;
BEGIN
  UPDATE room r SET member_count = r.member_count + joining WHERE r.room_id = room_
    RETURNING (SELECT count(*) FROM generate_series(1, joining) place
                WHERE NOT is_big(r.member_count - joining + place)),
              CASE r.history WHEN 'all' THEN 1 END, r.member_count - joining INTO named, seen, before;
  UPDATE room_position p SET last_rev = p.last_rev + least(joining, named + 1) WHERE p.room_id = room_
    RETURNING p.last_rev - least(joining, named + 1), p.last_seq INTO rev_, seq_;
  seen := coalesce(seen, seq_ + 1);
  INSERT INTO room_member (room_id, account_id, role, sees_all, muted_until, last_sent_at)
    SELECT room_, m.account_id, 'member', seen = 1,
           (SELECT u.until FROM room_mute u WHERE u.room_id = room_ AND u.account_id = m.account_id),
           (SELECT now() FROM member_span s WHERE s.room_id = room_ AND s.account_id = m.account_id LIMIT 1)
      FROM unnest(members_) AS m (account_id);
  UPDATE invitation i SET open = false, changed_at = now()
   WHERE i.room_id = room_ AND i.account_id = ANY (members_) AND i.open;
  INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
    SELECT room_, m.account_id, rev_ + least(m.place, named + 1), seen
      FROM unnest(members_) WITH ORDINALITY AS m (account_id, place);
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    SELECT room_, c.rev, seq_, c.kind, actor_, date_trunc('milliseconds', clock_timestamp()), c.data
      FROM (SELECT rev_ + m.place AS rev, 'member.joined' AS kind,
                   jsonb_build_object('account_id', id_text(m.account_id))
                     || CASE WHEN has_receipts(before + m.place - 1) AND NOT has_receipts(before + m.place)
                          THEN jsonb_build_object('receipts', false) ELSE '{}' END AS data
              FROM unnest(members_) WITH ORDINALITY AS m (account_id, place) WHERE m.place <= named
            UNION ALL
            SELECT rev_ + named + 1, 'members',
                   jsonb_build_object('rev_from', rev_ + named + 1, 'joined', joining - named, 'left', 0)
             WHERE joining > named) c;
END $$;
