-- Editing and deleting messages: each is one call and one transaction. Lock order as of
-- append_messages: the room, then the key, then the rest.

-- Whether one of the account's spans lets it see the message. Asked only about members who do not see
-- all of the room.
CREATE FUNCTION span_shows(room_ bigint, account_ bigint, seq_ bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM member_span s
                  WHERE s.room_id = room_ AND s.account_id = account_ AND s.seen_from_seq <= seq_
                    AND (s.to_rev IS NULL OR seq_ <= s.seen_to_seq));
END $$;

-- Why the caller may not change a message, null where it may:
--   not_found | forbidden | archived | no_message | not_yours | gone
-- of_others: whether admins and owners may do it to messages of others, but in direct rooms. The room is
-- locked. The rights are those of RoomRight.
CREATE FUNCTION change_refused(room_ bigint, seq_ bigint, caller_ bigint, of_others boolean) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place  record;
  member record;
  target record;
BEGIN
  SELECT r.type, p.archived INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  SELECT m.role, m.sees_all INTO member
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = caller_;
  IF NOT FOUND THEN
    RETURN CASE place.type WHEN 'channel' THEN 'forbidden' ELSE 'not_found' END;
  END IF;
  IF place.archived THEN
    RETURN 'archived';
  END IF;
  SELECT m.sender_id, m.deleted_at INTO target FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
  IF NOT FOUND OR NOT (member.sees_all OR span_shows(room_, caller_, seq_)) THEN
    RETURN 'no_message';
  END IF;
  IF target.sender_id <> caller_
     AND NOT (of_others AND member.role IN ('owner', 'admin') AND place.type <> 'direct') THEN
    RETURN 'not_yours';
  END IF;
  RETURN CASE WHEN target.deleted_at IS NOT NULL THEN 'gone' END;
END $$;

-- Edits a message. The key is looked at first, so that a retry is answered whatever became of the caller
-- or the message:
--   stored | duplicate   with rev and time of the change and the message as it stands now
--   mismatch             the key was used for something else
--   or why it is refused
CREATE FUNCTION edit_message(
  room_ bigint, seq_ bigint, caller_ bigint, client_key_ uuid, content_hash_ bigint, body_ text,
  OUT outcome text, OUT at_rev bigint, OUT at_ts timestamptz, OUT stored message)
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
    outcome := change_refused(room_, seq_, caller_, false);
    IF outcome IS NOT NULL THEN
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

-- Deletes a message down to its tombstone, former versions too; keys stay.
--   stored   with rev and time of the deletion and the tombstone
--   or why it is refused
-- data_: what the log of the room says, as it stands on the wire.
CREATE FUNCTION delete_message(
  room_ bigint, seq_ bigint, caller_ bigint, data_ jsonb,
  OUT outcome text, OUT at_rev bigint, OUT at_ts timestamptz, OUT stored message)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place room_position;
  now_  timestamptz;
BEGIN
  SELECT p.* INTO place FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());
  outcome := change_refused(room_, seq_, caller_, true);
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
  UPDATE room_position p SET last_rev = p.last_rev + 1 WHERE p.room_id = room_;
  outcome := 'stored';
  at_rev := place.last_rev + 1;
  at_ts := now_;
END $$;

-- As before, but a reply may only name a message that its sender can see.
CREATE OR REPLACE FUNCTION append_messages(
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  size     int := cardinality(room_ids);
  now_     timestamptz;
  last_seq bigint;
  last_rev bigint;
  entitled boolean;
  sees_all boolean;
  inserted bigint := 0;
BEGIN
  IF size = 1 THEN
    SELECT p.last_seq, p.last_rev, NOT p.archived INTO last_seq, last_rev, entitled
      FROM room_position p WHERE p.room_id = room_ids[1] FOR NO KEY UPDATE;
    now_ := date_trunc('milliseconds', clock_timestamp());
    IF entitled AND coalesce(reply_tos[1] BETWEEN 1 AND last_seq, true) THEN
      SELECT m.sees_all INTO sees_all
        FROM room_member m WHERE m.room_id = room_ids[1] AND m.account_id = sender_ids[1];
      IF FOUND AND (reply_tos[1] IS NULL OR sees_all
                    OR span_shows(room_ids[1], sender_ids[1], reply_tos[1])) THEN
        INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
          VALUES (sender_ids[1], client_keys[1], room_ids[1], last_seq + 1, content_hashes[1])
          ON CONFLICT DO NOTHING;
        IF FOUND THEN
          INSERT INTO message (room_id, seq, rev, sender_id, ts, client_id, msg_type, body, reply_to, topic)
            VALUES (room_ids[1], last_seq + 1, last_rev + 1, sender_ids[1], now_, client_ids[1],
                    msg_types[1], bodies[1], reply_tos[1], topics[1]);
          UPDATE room_position p SET last_seq = p.last_seq + 1, last_rev = p.last_rev + 1
            WHERE p.room_id = room_ids[1];
          outcomes := ARRAY['stored'];
          seqs := ARRAY[last_seq + 1];
          revs := ARRAY[last_rev + 1];
          times := ARRAY[(extract(epoch FROM now_) * 1000)::bigint];
          RETURN;
        END IF;
      END IF;
    END IF;
    seqs := ARRAY[NULL::bigint];
  ELSE
    PERFORM 1 FROM room_position p WHERE p.room_id = ANY (room_ids) ORDER BY p.room_id FOR NO KEY UPDATE;
    now_ := date_trunc('milliseconds', clock_timestamp());

    SELECT array_agg(n.last_seq + n.place ORDER BY n.i), array_agg(n.last_rev + n.place ORDER BY n.i)
      INTO seqs, revs
      FROM (SELECT c.i, c.last_seq, c.last_rev,
                   CASE WHEN c.entitled
                     THEN count(*) FILTER (WHERE c.entitled) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
              FROM (SELECT d.i, d.room_id, p.last_seq, p.last_rev,
                           NOT p.archived AND coalesce(d.reply_to BETWEEN 1 AND p.last_seq, true)
                           AND (SELECT d.reply_to IS NULL OR m.sees_all
                                       OR span_shows(d.room_id, d.sender_id, d.reply_to)
                                  FROM room_member m
                                 WHERE m.room_id = d.room_id AND m.account_id = d.sender_id) AS entitled
                      FROM unnest(room_ids, sender_ids, reply_tos)
                             WITH ORDINALITY AS d (room_id, sender_id, reply_to, i)
                      LEFT JOIN room_position p ON p.room_id = d.room_id OFFSET 0) c) n;

    INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
      SELECT d.sender_id, d.client_key, d.room_id, d.seq, d.content_hash
        FROM unnest(sender_ids, client_keys, room_ids, seqs, content_hashes)
               WITH ORDINALITY AS d (sender_id, client_key, room_id, seq, content_hash, i)
       WHERE d.seq IS NOT NULL
       ORDER BY d.sender_id, d.client_key, d.i
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS inserted = ROW_COUNT;

    IF inserted = size THEN
      INSERT INTO message (room_id, seq, rev, sender_id, ts, client_id, msg_type, body, reply_to, topic)
        SELECT d.room_id, d.seq, d.rev, d.sender_id, now_, d.client_id, d.msg_type, d.body, d.reply_to, d.topic
          FROM unnest(room_ids, seqs, revs, sender_ids, client_ids, msg_types, bodies, reply_tos, topics)
                 AS d (room_id, seq, rev, sender_id, client_id, msg_type, body, reply_to, topic);
      UPDATE room_position p SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n
        FROM (SELECT r AS room_id, count(*) AS n FROM unnest(room_ids) r GROUP BY r) d
       WHERE p.room_id = d.room_id;
      outcomes := array_fill('stored'::text, ARRAY[size]);
      times := array_fill((extract(epoch FROM now_) * 1000)::bigint, ARRAY[size]);
      RETURN;
    END IF;
  END IF;

  SELECT s.outcomes, s.seqs, s.revs, s.times INTO outcomes, seqs, revs, times
    FROM append_survivors(now_, seqs, room_ids, sender_ids, client_ids, client_keys, content_hashes,
                          msg_types, bodies, reply_tos, topics) s;
END $$;
