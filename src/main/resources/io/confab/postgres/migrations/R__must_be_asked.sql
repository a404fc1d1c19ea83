-- Whether an account wants to be asked before another one brings it into a room. The account is held.
CREATE OR REPLACE FUNCTION must_be_asked(account_ bigint, by_ bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE a.invites_from
           WHEN 'everyone' THEN false
           WHEN 'shared_rooms' THEN NOT EXISTS (
             SELECT FROM room_member own JOIN room_member other USING (room_id)
              WHERE own.account_id = account_ AND other.account_id = by_)
           ELSE true END
    FROM account a WHERE a.account_id = account_
$$;
