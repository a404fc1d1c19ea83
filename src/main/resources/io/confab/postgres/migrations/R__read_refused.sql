-- Why an account may not read a room; null where it may. The rights are those of RoomRight.
CREATE OR REPLACE FUNCTION read_refused(room_ bigint, account_ bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM room_member m WHERE m.room_id = room_ AND m.account_id = account_) THEN
    RETURN NULL;
  END IF;
  RETURN coalesce((SELECT stranger_refused(r.room_id, account_, r.type) FROM room r WHERE r.room_id = room_), 'not_found');
END $$;
