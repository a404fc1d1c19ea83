-- Adds accounts to a room, as add_member adds each, in their order, in as many statements as for one. As join_room.
-- Whoever may not when it is asked is refused, also with a right that came since: no account is held for it.
--   outcomes   for each account in order: as of addition_outcomes, or room_full, or of all that would be added seal_full
CREATE OR REPLACE FUNCTION add_members(
  room_ bigint, caller_ bigint, members_ bigint[], asks_ boolean,
  OUT refusal text, OUT before bigint, OUT outcomes text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  may   boolean := EXISTS (SELECT FROM room_member m
                            WHERE m.room_id = room_ AND m.account_id = caller_
                              AND room_refused('add_member', m.role, false) IS NULL);
  place record;
  added bigint[];
BEGIN
  IF may THEN
    PERFORM 1 FROM account a WHERE a.account_id = ANY (members_) AND a.removed_at IS NULL
      ORDER BY a.account_id FOR SHARE;
  END IF;
  SELECT * INTO place FROM lock_room(room_, caller_, caller_);
  refusal := coalesce(room_refused('add_member', place.relation, place.archived),
                      CASE WHEN NOT may THEN 'forbidden' END);
  IF refusal IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(CASE WHEN o.outcome IN ('added', 'asked') AND place.members + o.earlier >= place.most
                        THEN 'room_full' ELSE o.outcome END ORDER BY o.place)
    INTO outcomes
    FROM (SELECT d.place, d.outcome,
                 count(*) FILTER (WHERE d.outcome = 'added') OVER (ORDER BY d.place)
                   - CASE d.outcome WHEN 'added' THEN 1 ELSE 0 END AS earlier
            FROM unnest(addition_outcomes(room_, caller_, members_, asks_))
                   WITH ORDINALITY AS d (outcome, place)) o;
  added := ARRAY(SELECT a.account_id FROM unnest(members_, outcomes) WITH ORDINALITY AS a (account_id, outcome, place)
                  WHERE a.outcome = 'added' ORDER BY a.place);
  IF NOT fits_sealed(room_, added) THEN
    outcomes := array_replace(outcomes, 'added', 'seal_full');
    added := '{}';
  END IF;
  IF added <> '{}' THEN
    PERFORM begin_memberships(room_, caller_, added);
    INSERT INTO room_audit (room_id, actor_id, action, account_id, data)
      SELECT room_, caller_, 'member.added', a.account_id, '{"role": "member"}'
        FROM unnest(added) WITH ORDINALITY AS a (account_id, place) ORDER BY a.place;
  END IF;
  PERFORM ask_members(room_, caller_, ARRAY(
    SELECT a.account_id FROM unnest(members_, outcomes) AS a (account_id, outcome) WHERE a.outcome = 'asked'));
  before := place.rev;
END $$;
