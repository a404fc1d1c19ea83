-- Whether an account wants to be asked before another one brings it into a room. The account is held.
-- Rooms that it shares are groups: anybody can make a direct room with it, or join its channels.
CREATE OR REPLACE FUNCTION must_be_asked(account_ bigint, by_ bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE a.invites_from
           WHEN 'everyone' THEN false
           WHEN 'shared_rooms' THEN NOT EXISTS (
             SELECT FROM room_member own JOIN room_member other USING (room_id) JOIN room r USING (room_id)
              WHERE own.account_id = account_ AND other.account_id = by_
                AND r.type = 'group' AND r.archived_at IS NULL)
           ELSE true END
    FROM account a WHERE a.account_id = account_
$$;
