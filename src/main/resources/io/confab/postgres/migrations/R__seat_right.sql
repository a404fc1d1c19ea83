-- What an account may do about the seats of a room.
--   refusal         as of reads, or archived, or uncapped; null where it may have a seat
--   capacity_, rev  as of that rev; null where the room has no capacity; capped_rev_ as of room
--   role_           of the account; null where it has none
CREATE OR REPLACE FUNCTION seat_right(
  room_ bigint, account_ bigint, OUT refusal text, OUT capacity_ integer, OUT rev bigint, OUT role_ text,
  OUT capped_rev_ bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  archived_ boolean;
BEGIN
  SELECT r.capacity, p.last_rev, p.archived, m.role, r.capped_rev INTO capacity_, rev, archived_, role_, capped_rev_
    FROM room r JOIN room_position p USING (room_id)
    LEFT JOIN room_member m ON m.room_id = r.room_id AND m.account_id = account_
   WHERE r.room_id = room_;
  refusal := CASE WHEN role_ IS NULL THEN read_refused(room_, account_)
                  WHEN capacity_ IS NULL THEN 'uncapped'
                  WHEN archived_ THEN 'archived' END;
END $$;
