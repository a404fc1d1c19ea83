-- A device cannot read what it was given: that becomes a dead letter, its number stays, and nothing behind it waits. False where
-- the device has no such envelope (any more), null where the number is of another epoch (null: of any).
CREATE OR REPLACE FUNCTION reject_envelope(registration_ bigint, seq_ bigint, reason_ text, epoch_ bigint DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  account_ bigint := (SELECT q.account_id FROM device_queue q WHERE q.registration_id = registration_);
  payload_ bigint;
BEGIN
  PERFORM lock_queues(ARRAY[account_]);
  IF epoch_ <> (SELECT i.epoch FROM instance i) THEN
    RETURN NULL;
  END IF;
  SELECT e.payload_id INTO payload_ FROM envelope e JOIN device_queue q USING (registration_id)
   WHERE e.registration_id = registration_ AND e.seq = seq_ AND NOT q.ended;
  IF payload_ IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO dead_letter (account_id, device_id, room_id, client_id, reason, content)
    SELECT account_, k.device_id, p.room_id, p.client_id, reason_,
           jsonb_strip_nulls(jsonb_build_object('queue_seq', e.seq, 'body', e.body, 'payload', p.payload))::text
      FROM envelope e
      JOIN envelope_payload p USING (payload_id)
      JOIN device_key k USING (registration_id)
     WHERE e.registration_id = registration_ AND e.seq = seq_;
  UPDATE envelope e SET payload_id = NULL, body = NULL WHERE e.registration_id = registration_ AND e.seq = seq_;
  PERFORM fail_envelopes(ARRAY[payload_], ARRAY[account_], 'undecryptable');
  RETURN true;
END $$;
