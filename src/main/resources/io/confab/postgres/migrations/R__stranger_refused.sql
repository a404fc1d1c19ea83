-- Why an account that is not a member is refused the content of a room that exists.
CREATE OR REPLACE FUNCTION stranger_refused(room_ bigint, account_ bigint, type_ text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE WHEN type_ = 'channel'
                AND NOT EXISTS (SELECT FROM room_ban b WHERE b.room_id = room_ AND b.account_id = account_)
              THEN 'forbidden' ELSE 'not_found' END;
END $$;
