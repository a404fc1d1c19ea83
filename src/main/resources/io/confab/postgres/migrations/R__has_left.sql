-- Whether an account was in a room and left it of its own accord, the last time.
CREATE OR REPLACE FUNCTION has_left(room_ bigint, account_ bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT coalesce(c.left_reason, c.data ->> 'reason') = 'left'
      FROM member_span s JOIN room_change c ON c.room_id = s.room_id AND c.rev = s.to_rev
     WHERE s.room_id = room_ AND s.account_id = account_
     ORDER BY s.to_rev DESC LIMIT 1), false)
$$;
