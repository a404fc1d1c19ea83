-- Adds an entry to the audit log of a locked room.
-- account_: to whom it was done. data_: the fields that are of the action, as they stand on the wire.
CREATE OR REPLACE FUNCTION note_room(room_ bigint, actor_ bigint, action_ text, account_ bigint, data_ jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO room_audit (room_id, actor_id, action, account_id, data)
    VALUES (room_, actor_, action_, account_, data_);
END $$;
