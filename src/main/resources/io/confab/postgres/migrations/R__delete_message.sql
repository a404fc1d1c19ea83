-- Deletes a message down to its tombstone, former versions too; keys stay. The deletion of another's
-- message is noted in the audit log. One call and one transaction; lock order as of append_messages.
--   stored   with rev and time of the deletion and the tombstone
--   or why it is refused
-- data_: what the log of the room says, as it stands on the wire.
CREATE OR REPLACE FUNCTION delete_message(
  room_ bigint, seq_ bigint, caller_ bigint, data_ jsonb,
  OUT outcome text, OUT at_rev bigint, OUT at_ts timestamptz, OUT stored message)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place room_position;
  now_  timestamptz;
BEGIN
  SELECT p.* INTO place FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());
  outcome := change_refused(room_, seq_, caller_, true, now_);
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  DELETE FROM message_version v WHERE v.room_id = room_ AND v.seq = seq_;
  UPDATE message m
     SET body = NULL, topic = NULL, reply_to = NULL, edited_at = NULL,
         deleted_at = now_, deleted_by = caller_, changed_rev = place.last_rev + 1
   WHERE m.room_id = room_ AND m.seq = seq_ RETURNING m.* INTO stored;
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    VALUES (room_, place.last_rev + 1, place.last_seq, 'message.deleted', caller_, now_, data_);
  IF stored.sender_id <> caller_ THEN
    INSERT INTO room_audit (room_id, actor_id, action, account_id, data)
      VALUES (room_, caller_, 'message.deleted', stored.sender_id, jsonb_build_object('seq', seq_));
  END IF;
  UPDATE room_position p SET last_rev = p.last_rev + 1 WHERE p.room_id = room_;
  outcome := 'stored';
  at_rev := place.last_rev + 1;
  at_ts := now_;
END $$;
