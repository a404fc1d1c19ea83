-- Whether two accounts are in a room together.
CREATE OR REPLACE FUNCTION are_together(one bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM room_member m JOIN room_member n USING (room_id)
                  WHERE m.account_id = one AND n.account_id = other)
$$;
