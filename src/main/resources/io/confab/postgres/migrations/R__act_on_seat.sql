-- Whether an account may put another one at the head of the line of a room (seat.let_in), or take its seat or place
-- (seat.removed); noted in the audit, where it may. Others than that, the refusals are those of seat_right.
-- An owner or admin may take away its own as everybody's but an owner's.
--   no_member  the other account is none
CREATE OR REPLACE FUNCTION act_on_seat(
  room_ bigint, actor_ bigint, action_ text, account_ bigint,
  OUT refusal text, OUT capacity_ integer, OUT rev bigint, OUT capped_rev_ bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own   record;
  other text;
BEGIN
  PERFORM lock_room(room_, actor_, account_);
  SELECT * INTO own FROM seat_right(room_, actor_);
  SELECT m.role INTO other FROM room_member m WHERE m.room_id = room_ AND m.account_id = account_;
  capacity_ := own.capacity_;
  rev := own.rev;
  capped_rev_ := own.capped_rev_;
  refusal := coalesce(
    own.refusal,
    CASE WHEN own.role_ NOT IN ('owner', 'admin') THEN 'forbidden'
         WHEN action_ = 'seat.let_in' AND other IS NULL THEN 'no_member'
         WHEN action_ = 'seat.removed' AND other = 'owner' AND own.role_ <> 'owner' THEN 'forbidden' END);
  IF refusal IS NULL THEN
    PERFORM note_room(room_, actor_, action_, account_, NULL);
  END IF;
END $$;
