-- Adds an account to a room, or gives a member another role. As join_room.
-- Whoever may not when it is asked is refused, also with a right that came since: no account is held for it.
-- asks_: as of addition_outcomes.
-- role_: null: a new one is a member, another one keeps its role.
CREATE OR REPLACE FUNCTION add_member(
  room_ bigint, caller_ bigint, member_ bigint, role_ text, asks_ boolean DEFAULT true,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  may     boolean := EXISTS (SELECT FROM room_member m
                              WHERE m.room_id = room_ AND m.account_id = caller_
                                AND room_refused('add_member', m.role, false) IS NULL);
  place   record;
  outcome text;
  as_     text := coalesce(role_, 'member');
BEGIN
  IF may THEN
    PERFORM hold_account(member_);
  END IF;
  SELECT * INTO place FROM lock_room(room_, caller_, member_);
  refusal := coalesce(room_refused('add_member', place.relation, place.archived),
                      CASE WHEN NOT may THEN 'forbidden' END);
  IF refusal IS NULL AND place.member_role IS NULL THEN
    outcome := (addition_outcomes(room_, caller_, ARRAY[member_], asks_))[1];
    refusal := coalesce(
      CASE WHEN as_ <> 'member' THEN room_refused('change_roles', place.relation, place.archived) END,
      CASE WHEN outcome NOT IN ('added', 'asked') THEN outcome
           WHEN place.members >= place.most THEN 'room_full'
           WHEN outcome = 'added' AND NOT fits_sealed(room_, ARRAY[member_]) THEN 'seal_full' END);
    IF refusal IS NULL AND outcome = 'asked' THEN
      PERFORM ask_members(room_, caller_, ARRAY[member_]);
    ELSIF refusal IS NULL THEN
      PERFORM begin_memberships(room_, caller_, ARRAY[member_]);
      IF as_ <> 'member' THEN
        PERFORM give_role(room_, caller_, member_, as_);
      END IF;
      PERFORM note_room(room_, caller_, 'member.added', member_, jsonb_build_object('role', as_));
    END IF;
  ELSIF refusal IS NULL AND role_ <> place.member_role THEN
    refusal := coalesce(
      room_refused('change_roles', place.relation, place.archived),
      CASE WHEN member_ = caller_
             THEN CASE WHEN place.heir_role IS DISTINCT FROM 'owner' THEN 'last_owner' END
           WHEN place.member_role = 'owner'
             THEN room_refused('act_on_owner', place.relation, place.archived) END);
    IF refusal IS NULL THEN
      PERFORM give_role(room_, caller_, member_, role_);
      PERFORM note_room(room_, caller_, 'member.role', member_, jsonb_build_object('role', role_));
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
