-- Edits or deletes one message, as change_messages does, where nothing is in the way: with rev and time
-- of the change, whether others may have more or less unread by it, and the message as it stands. All are null, and nothing is done, where the change is
-- refused or its key is known.
CREATE OR REPLACE FUNCTION change_message(
  room_ bigint, seq_ bigint, caller_ bigint, client_key_ uuid, content_hash_ bigint, body_ text, names_ text,
  seated_ boolean,
  OUT at_rev bigint, OUT at_ts timestamptz, OUT recounts boolean, OUT stored message)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  deletes  boolean := client_key_ IS NULL;
  last_seq bigint;
  last_rev bigint;
  now_     timestamptz;
  former   bigint[];
  told     bigint[];
BEGIN
  SELECT p.last_seq, p.last_rev INTO last_seq, last_rev
    FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());
  IF change_refused(room_, seq_, caller_, deletes, now_, seated_) IS NOT NULL THEN
    RETURN;
  END IF;

  IF NOT deletes THEN
    INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash, rev)
      VALUES (caller_, client_key_, room_, seq_, content_hash_, last_rev + 1)
      ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;

  former := (SELECT m.mentions FROM message m WHERE m.room_id = room_ AND m.seq = seq_);
  DELETE FROM mention o WHERE o.room_id = room_ AND o.seq = seq_ AND o.account_id = ANY (former);
  IF deletes THEN
    DELETE FROM message_version v WHERE v.room_id = room_ AND v.seq = seq_;
    UPDATE message m
       SET body = NULL, topic = NULL, reply_to = NULL, mentions = NULL, edited_at = NULL,
           deleted_at = now_, deleted_by = caller_, changed_rev = last_rev + 1
     WHERE m.room_id = room_ AND m.seq = seq_ RETURNING m.* INTO stored;
    IF stored.sender_id <> caller_ THEN
      INSERT INTO room_audit (room_id, actor_id, action, account_id, data)
        VALUES (room_, caller_, 'message.deleted', stored.sender_id, jsonb_build_object('seq', seq_));
    END IF;
  ELSE
    INSERT INTO message_version (room_id, seq, rev, body, ts)
      SELECT m.room_id, m.seq, coalesce(m.changed_rev, m.rev), m.body, coalesce(m.edited_at, m.ts)
        FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
    IF names_ IS NOT NULL THEN
      told := (find_mentions(ARRAY[room_], ARRAY[caller_], ARRAY[names_]))[1];
      INSERT INTO mention (account_id, room_id, seq, sender_id)
        SELECT a.account_id, room_, seq_, caller_ FROM unnest(told) AS a (account_id) WHERE a.account_id >= 0;
    END IF;
    UPDATE message m SET body = body_, mentions = told, edited_at = now_, changed_rev = last_rev + 1
     WHERE m.room_id = room_ AND m.seq = seq_ RETURNING m.* INTO stored;
  END IF;

  recounts := deletes OR told IS DISTINCT FROM former;
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    VALUES (room_, last_rev + 1, last_seq,
            CASE WHEN deletes THEN 'message.deleted' ELSE 'message.edited' END, caller_, now_,
            CASE WHEN deletes THEN jsonb_build_object('seq', seq_, 'deleted_by', id_text(caller_))
                 WHEN recounts THEN jsonb_build_object('seq', seq_, 'recounts', true)
                 ELSE jsonb_build_object('seq', seq_) END);
  UPDATE room_position p SET last_rev = p.last_rev + 1 WHERE p.room_id = room_;
  at_rev := last_rev + 1;
  at_ts := now_;
END $$;
