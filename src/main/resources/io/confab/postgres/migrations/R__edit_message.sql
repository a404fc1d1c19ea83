-- Edits a message. One call and one transaction; lock order as of append_messages. The key is looked at
-- first, so that a retry is answered whatever became of the caller or the message:
--   stored | duplicate   with rev and time of the change and the message as it stands now
--   mismatch             the key was used for something else
--   or why it is refused; muted with the milliseconds to wait
CREATE OR REPLACE FUNCTION edit_message(
  room_ bigint, seq_ bigint, caller_ bigint, client_key_ uuid, content_hash_ bigint, body_ text,
  OUT outcome text, OUT at_rev bigint, OUT at_ts timestamptz, OUT wait_ms bigint, OUT stored message)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place room_position;
  known send_key;
  now_  timestamptz;
BEGIN
  SELECT p.* INTO place FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());
  SELECT k.* INTO known FROM send_key k WHERE k.sender_id = caller_ AND k.client_key = client_key_;
  IF NOT FOUND THEN
    outcome := change_refused(room_, seq_, caller_, false, now_);
    IF outcome IS NOT NULL THEN
      IF outcome = 'muted' THEN
        wait_ms := silence_ms(room_, caller_, now_);
      END IF;
      RETURN;
    END IF;
    INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash, rev)
      VALUES (caller_, client_key_, room_, seq_, content_hash_, place.last_rev + 1)
      ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO message_version (room_id, seq, rev, body, ts)
        SELECT m.room_id, m.seq, coalesce(m.changed_rev, m.rev), m.body, coalesce(m.edited_at, m.ts)
          FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
      UPDATE message m SET body = body_, edited_at = now_, changed_rev = place.last_rev + 1
        WHERE m.room_id = room_ AND m.seq = seq_ RETURNING m.* INTO stored;
      INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
        VALUES (room_, place.last_rev + 1, place.last_seq, 'message.edited', caller_, now_,
                jsonb_build_object('seq', seq_));
      UPDATE room_position p SET last_rev = p.last_rev + 1 WHERE p.room_id = room_;
      outcome := 'stored';
      at_rev := place.last_rev + 1;
      at_ts := now_;
      RETURN;
    END IF;
    -- A twin for another room was waited for and committed.
    SELECT k.* INTO known FROM send_key k WHERE k.sender_id = caller_ AND k.client_key = client_key_;
  END IF;
  IF known.rev IS NULL OR known.room_id <> room_ OR known.seq <> seq_
     OR known.content_hash <> content_hash_ THEN
    outcome := 'mismatch';
    RETURN;
  END IF;
  outcome := 'duplicate';
  at_rev := known.rev;
  SELECT m.* INTO stored FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
END $$;
