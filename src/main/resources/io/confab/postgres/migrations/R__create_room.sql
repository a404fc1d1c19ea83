-- Makes a room with its first members, who see all of it; the creator, the first of them, is the owner, but of a
-- direct room. Of two who make the same direct room at the same moment the second waits for the first and
-- is told that it exists. Nobody is brought together with whom they blocked; of two that want to talk to each other
-- neither may have blocked the other. asks_: as of add_member. As join_room:
--   no_account | blocked | exists (a direct room) | member_invitations (somebody has too many) | name_taken
CREATE OR REPLACE FUNCTION create_room(
  room_ bigint, members_ bigint[], type_ text, name_ text, name_key_ text, description_ text, history_ text,
  slow_mode_s_ integer, max_members_ bigint, capacity_ integer, read_outside_ boolean, asks_ boolean DEFAULT true,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  creator bigint := members_[1];
  size    bigint := cardinality(members_);
  asked   bigint[];
  pair    bigint[] := CASE type_ WHEN 'direct' THEN ARRAY[least(members_[1], members_[2]),
                                                          greatest(members_[1], members_[2])] END;
  held    bigint;
BEGIN
  SELECT count(*) INTO held FROM (
    SELECT FROM account a WHERE a.account_id = ANY (members_) AND a.removed_at IS NULL
     ORDER BY a.account_id FOR SHARE) h;
  IF held < size THEN
    refusal := 'no_account';
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM unnest(members_) m (account_id)
              WHERE has_blocked(m.account_id, creator) OR pair IS NOT NULL AND has_blocked(creator, m.account_id)) THEN
    refusal := CASE WHEN EXISTS (SELECT FROM room r WHERE r.direct_low = pair[1] AND r.direct_high = pair[2])
                      THEN 'exists' ELSE 'blocked' END;
    RETURN;
  END IF;
  IF asks_ AND pair IS NULL THEN
    asked := ARRAY(SELECT m.account_id FROM unnest(members_) m (account_id)
                    WHERE m.account_id <> creator AND must_be_asked(m.account_id, creator));
    members_ := ARRAY(SELECT m.account_id FROM unnest(members_) WITH ORDINALITY m (account_id, place)
                       WHERE m.account_id <> ALL (asked) ORDER BY m.place);
    size := cardinality(members_);
    IF has_many_invitations(asked, creator) THEN
      refusal := 'member_invitations';
      RETURN;
    END IF;
  END IF;
  INSERT INTO room (room_id, type, name, name_key, description, history, direct_low, direct_high, member_count,
                    max_members, capacity, read_outside)
    VALUES (room_, type_, name_, name_key_, description_, coalesce(history_, 'all'), pair[1], pair[2], size,
            nullif(max_members_, 0), nullif(capacity_, 0), coalesce(read_outside_, false))
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    refusal := CASE WHEN pair IS NULL THEN 'name_taken' ELSE 'exists' END;
    RETURN;
  END IF;
  INSERT INTO room_position (room_id, slow_mode_s, last_rev, capped, inside_only)
    VALUES (room_, coalesce(slow_mode_s_, 0), CASE WHEN is_big(size) THEN 1 ELSE size END, coalesce(capacity_ > 0, false),
            coalesce(capacity_ > 0 AND NOT coalesce(read_outside_, false), false));
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    SELECT room_, c.rev, 0, c.kind, creator, date_trunc('milliseconds', clock_timestamp()), c.data
      FROM (SELECT 1::bigint AS rev, 'members' AS kind,
                   jsonb_build_object('rev_from', 1, 'joined', size, 'left', 0) AS data
             WHERE is_big(size)
            UNION ALL
            SELECT m.place, 'member.joined', jsonb_build_object('account_id', id_text(m.account_id))
              FROM unnest(members_) WITH ORDINALITY AS m (account_id, place)
             WHERE NOT is_big(size)) c;
  INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
    SELECT room_, m.account_id, CASE WHEN is_big(size) THEN 1 ELSE m.place END, 1
      FROM unnest(members_) WITH ORDINALITY AS m (account_id, place);
  INSERT INTO room_member (room_id, account_id, role)
    SELECT room_, m.account_id, CASE WHEN m.account_id = creator AND pair IS NULL THEN 'owner' ELSE 'member' END
      FROM unnest(members_) AS m (account_id);
  INSERT INTO invitation (room_id, account_id, invited_by)
    SELECT room_, m.account_id, creator FROM unnest(asked) m (account_id);
  before := 0;
END $$;
