-- Whether an account has an open invitation to a room. One ends by itself after 30 days.
CREATE OR REPLACE FUNCTION is_invited(room_ bigint, account_ bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM invitation i
                  WHERE i.room_id = room_ AND i.account_id = account_
                    AND i.open AND i.ts > now() - interval '30 days')
$$;
