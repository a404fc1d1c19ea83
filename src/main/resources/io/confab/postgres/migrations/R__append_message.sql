-- Stores one message, as append_messages does a group: under the same locks, by the same usual path, with the same
-- rights. It takes the message itself and no arrays of one, which would cost an eighth more. The outcome is one of
-- those of append_carefully.
CREATE OR REPLACE FUNCTION append_message(
  room_ bigint, sender_ bigint, client_id_ text, client_key_ uuid, content_hash_ bigint,
  msg_type_ text, body_ text, reply_to_ bigint, topic_ text, names_ text, seated_ boolean,
  OUT outcome text, OUT seq_ bigint, OUT rev_ bigint, OUT time_ bigint, OUT wait_ bigint, OUT mentions_ text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  now_     timestamptz;
  ordinal_ bigint;
BEGIN
  UPDATE room_position p SET last_seq = p.last_seq + 1, last_rev = p.last_rev + 1, countable = p.countable + 1
   WHERE p.room_id = room_ AND NOT p.archived AND NOT p.blocked AND NOT p.sealed AND p.slow_mode_s = 0 AND (seated_ OR NOT p.capped)
   RETURNING p.last_seq, p.last_rev, p.countable INTO seq_, rev_, ordinal_;
  IF FOUND THEN
    now_ := date_trunc('milliseconds', clock_timestamp());
    UPDATE room_member m SET sent = m.sent + 1
     WHERE m.room_id = room_ AND m.account_id = sender_
       AND (m.muted_until IS NULL OR m.muted_until <= now_)
       AND (reply_to_ IS NULL
            OR reply_to_ BETWEEN 1 AND seq_ - 1
               AND (m.sees_all OR span_shows(m.room_id, m.account_id, reply_to_)));
    IF FOUND THEN
      INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
        VALUES (sender_, client_key_, room_, seq_, content_hash_)
        ON CONFLICT DO NOTHING;
      IF FOUND THEN
        IF names_ IS NOT NULL THEN
          mentions_ := (find_mentions(ARRAY[room_], ARRAY[sender_], ARRAY[names_]))[1];
        END IF;
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body, reply_to, topic,
                             mentions)
          VALUES (room_, seq_, rev_, ordinal_, sender_, now_, client_id_, msg_type_, body_, reply_to_, topic_,
                  mentions_::bigint[]);
        IF mentions_ IS NOT NULL THEN
          INSERT INTO mention (account_id, room_id, seq, sender_id)
            SELECT a.account_id, room_, seq_, sender_
              FROM unnest(mentions_::bigint[]) AS a (account_id) WHERE a.account_id >= 0;
        END IF;
        outcome := 'stored';
        time_ := extract(epoch FROM now_) * 1000;
        RETURN;
      END IF;
      UPDATE room_member m SET sent = m.sent - 1 WHERE m.room_id = room_ AND m.account_id = sender_;
    END IF;
    UPDATE room_position p SET last_seq = p.last_seq - 1, last_rev = p.last_rev - 1, countable = p.countable - 1
     WHERE p.room_id = room_;
  END IF;

  SELECT s.outcomes[1], s.seqs[1], s.revs[1], s.times[1], s.waits[1], s.mentions[1]
    INTO outcome, seq_, rev_, time_, wait_, mentions_
    FROM append_carefully(ARRAY[room_], ARRAY[sender_], ARRAY[client_id_], ARRAY[client_key_], ARRAY[content_hash_],
                          ARRAY[msg_type_], ARRAY[body_], ARRAY[reply_to_], ARRAY[topic_],
                          CASE WHEN names_ IS NOT NULL THEN ARRAY[names_] END, CASE WHEN seated_ THEN ARRAY[true] END) s;
END $$;
