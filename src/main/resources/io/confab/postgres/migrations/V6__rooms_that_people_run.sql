-- Rooms that people can run: settings, bans, mutes, invitations, blocks, the audit log, and what of that
-- decides about a message. What a send has to know stands in the two rows that it reads anyway.

-- slow_mode_s: seconds between two messages of a member; 0: none.
-- blocked: of a direct room, one of the two blocked the other.
ALTER TABLE room_position
  ADD COLUMN slow_mode_s integer NOT NULL DEFAULT 0,
  ADD COLUMN blocked     boolean NOT NULL DEFAULT false;

-- Null: as many as like.
ALTER TABLE room ADD COLUMN max_members bigint;

-- muted_until: a copy of room_mute. last_sent_at: kept only where slow mode is on.
ALTER TABLE room_member
  ADD COLUMN muted_until  timestamptz,
  ADD COLUMN last_sent_at timestamptz;

-- Stays when the member leaves, so that it is not shaken off by joining again.
CREATE TABLE room_mute (
  room_id    bigint      NOT NULL REFERENCES room,
  account_id bigint      NOT NULL REFERENCES account,
  until      timestamptz NOT NULL,
  PRIMARY KEY (room_id, account_id)
);

CREATE TABLE room_ban (
  room_id    bigint      NOT NULL REFERENCES room,
  account_id bigint      NOT NULL REFERENCES account,
  banned_by  bigint      NOT NULL,
  reason     text,
  banned_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (room_id, account_id)
);

-- The code is kept as SHA-256.
CREATE TABLE room_invite (
  room_id    bigint      NOT NULL REFERENCES room,
  invite_id  text        COLLATE "C" NOT NULL,
  code_hash  bytea       NOT NULL UNIQUE,
  made_by    bigint      NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  max_uses   bigint,
  uses       bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (room_id, invite_id)
);

-- False when a channel has the name.
CREATE FUNCTION rename_room(room_ bigint, name_ text, name_key_ text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room r SET name = name_, name_key = CASE r.type WHEN 'channel' THEN name_key_ END
   WHERE r.room_id = room_;
  RETURN true;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $$;

-- What owners and admins did. data: the fields that are of the action, as they stand on the wire.
CREATE TABLE room_audit (
  room_id    bigint      NOT NULL REFERENCES room,
  entry_id   bigint      GENERATED ALWAYS AS IDENTITY,
  ts         timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id   bigint      NOT NULL,
  action     text        NOT NULL,
  account_id bigint,
  data       jsonb,
  PRIMARY KEY (room_id, entry_id)
);

-- Of a change that tells of people in numbers only: whose membership ended, and why.
ALTER TABLE room_change
  ADD COLUMN left_id     bigint,
  ADD COLUMN left_reason text;

CREATE TABLE block (
  account_id bigint      NOT NULL REFERENCES account,
  blocked_id bigint      NOT NULL REFERENCES account,
  ts         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, blocked_id),
  CHECK (account_id <> blocked_id)
);

-- Whoever blocks two people, or makes their direct room, goes first or second. To be called outside of a
-- lock of an existing room.
CREATE FUNCTION lock_pair(one bigint, other bigint) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('direct ' || least(one, other) || ' ' || greatest(one, other), 0))
$$;

CREATE FUNCTION is_blocked(one bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM block b WHERE b.account_id = one AND b.blocked_id = other)
      OR EXISTS (SELECT FROM block b WHERE b.account_id = other AND b.blocked_id = one)
$$;

-- Sends learn of a block by their room, whose lock is taken here: a message has a number if and only if it
-- came before the block.
CREATE FUNCTION tell_direct_room() RETURNS trigger
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  pair  block := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  room_ bigint;
BEGIN
  PERFORM lock_pair(pair.account_id, pair.blocked_id);
  SELECT r.room_id INTO room_ FROM room r
   WHERE r.direct_low = least(pair.account_id, pair.blocked_id)
     AND r.direct_high = greatest(pair.account_id, pair.blocked_id);
  IF FOUND THEN
    PERFORM 1 FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
    UPDATE room_position p SET blocked = is_blocked(pair.account_id, pair.blocked_id) WHERE p.room_id = room_;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_direct_room AFTER INSERT OR DELETE ON block
  FOR EACH ROW EXECUTE FUNCTION tell_direct_room();

-- Milliseconds until a member may speak again, at least 1. The room is locked.
CREATE FUNCTION silence_ms(room_ bigint, account_ bigint, now_ timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM greatest(
           m.muted_until,
           CASE WHEN m.role = 'member' THEN m.last_sent_at + p.slow_mode_s * interval '1 second' END) - now_)
         * 1000))::bigint
    FROM room_member m JOIN room_position p USING (room_id)
   WHERE m.room_id = room_ AND m.account_id = account_
$$;

-- Whether slow mode lets a row of a group through: time has passed since the member's last message, and no
-- row before it in the group is another new one of the same member. Asked only about members of slow rooms.
CREATE FUNCTION pace_allows(
  i_ bigint, last_sent_at timestamptz, slow_mode_s integer, now_ timestamptz,
  room_ids bigint[], sender_ids bigint[], client_keys uuid[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF last_sent_at + slow_mode_s * interval '1 second' > now_ THEN
    RETURN false;
  END IF;
  RETURN NOT EXISTS (
    SELECT FROM unnest(room_ids, sender_ids, client_keys)
             WITH ORDINALITY AS d (room_id, sender_id, client_key, i)
     WHERE d.i < i_ AND d.room_id = room_ids[i_] AND d.sender_id = sender_ids[i_]
       AND (SELECT true FROM send_key k
             WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key) IS NULL);
END $$;

-- Why a message that is not entitled is refused. The room is locked, its counters are not raised yet. The
-- rights are those of RoomRight.
CREATE FUNCTION send_refused(room_ bigint, sender_ bigint, reply_to_ bigint, now_ timestamptz) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  place  record;
  member record;
BEGIN
  SELECT r.type, p.archived, p.blocked, p.last_seq INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  IF NOT FOUND THEN
    RETURN 'not_found';
  END IF;
  SELECT m.sees_all, m.muted_until INTO member
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = sender_;
  IF NOT FOUND THEN
    RETURN stranger_refused(room_, sender_, place.type);
  END IF;
  RETURN CASE
    WHEN place.archived THEN 'archived'
    WHEN place.blocked THEN 'blocked'
    WHEN member.muted_until > now_ THEN 'muted'
    WHEN reply_to_ NOT BETWEEN 1 AND place.last_seq
         OR NOT (member.sees_all OR reply_to_ IS NULL OR span_shows(room_, sender_, reply_to_)) THEN 'bad_reply'
    ELSE 'slow_mode' END;
END $$;

-- What one who is not a member hears who asks for the content of a room that exists.
CREATE FUNCTION stranger_refused(room_ bigint, account_ bigint, type_ text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE WHEN type_ = 'channel'
                AND NOT EXISTS (SELECT FROM room_ban b WHERE b.room_id = room_ AND b.account_id = account_)
              THEN 'forbidden' ELSE 'not_found' END;
END $$;

DROP FUNCTION append_messages, append_survivors, change_refused, edit_message;

-- As before, and a member may be muted or held back by slow mode, and a direct room blocked. Numbers of
-- these are decided on with the others:
--   muted | slow_mode   with the milliseconds to wait
--   blocked
CREATE FUNCTION append_messages(
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  size     int := cardinality(room_ids);
  now_     timestamptz;
  last_seq bigint;
  last_rev bigint;
  entitled boolean;
  slow_s   integer;
  slow     boolean;
  sees_all boolean;
  silent   boolean;
  inserted bigint := 0;
BEGIN
  IF size = 1 THEN
    SELECT p.last_seq, p.last_rev, NOT (p.archived OR p.blocked), p.slow_mode_s
      INTO last_seq, last_rev, entitled, slow_s
      FROM room_position p WHERE p.room_id = room_ids[1] FOR NO KEY UPDATE;
    now_ := date_trunc('milliseconds', clock_timestamp());
    IF entitled AND coalesce(reply_tos[1] BETWEEN 1 AND last_seq, true) THEN
      SELECT m.sees_all,
             m.muted_until > now_
             OR slow_s > 0 AND m.role = 'member' AND m.last_sent_at + slow_s * interval '1 second' > now_
        INTO sees_all, silent
        FROM room_member m WHERE m.room_id = room_ids[1] AND m.account_id = sender_ids[1];
      IF FOUND AND silent IS NOT TRUE
         AND (reply_tos[1] IS NULL OR sees_all OR span_shows(room_ids[1], sender_ids[1], reply_tos[1])) THEN
        INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
          VALUES (sender_ids[1], client_keys[1], room_ids[1], last_seq + 1, content_hashes[1])
          ON CONFLICT DO NOTHING;
        IF FOUND THEN
          INSERT INTO message (room_id, seq, rev, sender_id, ts, client_id, msg_type, body, reply_to, topic)
            VALUES (room_ids[1], last_seq + 1, last_rev + 1, sender_ids[1], now_, client_ids[1],
                    msg_types[1], bodies[1], reply_tos[1], topics[1]);
          UPDATE room_position p SET last_seq = p.last_seq + 1, last_rev = p.last_rev + 1
            WHERE p.room_id = room_ids[1];
          IF slow_s > 0 THEN
            UPDATE room_member m SET last_sent_at = now_
              WHERE m.room_id = room_ids[1] AND m.account_id = sender_ids[1];
          END IF;
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

    SELECT array_agg(n.last_seq + n.place ORDER BY n.i), array_agg(n.last_rev + n.place ORDER BY n.i),
           bool_or(n.slow_mode_s > 0)
      INTO seqs, revs, slow
      FROM (SELECT c.i, c.last_seq, c.last_rev, c.slow_mode_s,
                   CASE WHEN c.entitled
                     THEN count(*) FILTER (WHERE c.entitled) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
              FROM (SELECT d.i, d.room_id, p.last_seq, p.last_rev, p.slow_mode_s,
                           NOT (p.archived OR p.blocked) AND coalesce(d.reply_to BETWEEN 1 AND p.last_seq, true)
                           AND (SELECT (d.reply_to IS NULL OR m.sees_all
                                        OR span_shows(d.room_id, d.sender_id, d.reply_to))
                                       AND (m.muted_until IS NULL OR m.muted_until <= now_)
                                       AND (p.slow_mode_s = 0 OR m.role <> 'member'
                                            OR pace_allows(d.i, m.last_sent_at, p.slow_mode_s, now_,
                                                           room_ids, sender_ids, client_keys))
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
      IF slow THEN
        PERFORM remember_pace(now_, room_ids, sender_ids, seqs);
      END IF;
      outcomes := array_fill('stored'::text, ARRAY[size]);
      times := array_fill((extract(epoch FROM now_) * 1000)::bigint, ARRAY[size]);
      RETURN;
    END IF;
  END IF;

  SELECT s.outcomes, s.seqs, s.revs, s.times, s.waits INTO outcomes, seqs, revs, times, waits
    FROM append_survivors(now_, seqs, room_ids, sender_ids, client_ids, client_keys, content_hashes,
                          msg_types, bodies, reply_tos, topics) s;
END $$;

-- Notes for slow mode who sent now: those with a seq, in rooms that are slow.
CREATE FUNCTION remember_pace(now_ timestamptz, room_ids bigint[], sender_ids bigint[], seqs bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room_member m SET last_sent_at = now_
    FROM unnest(room_ids, sender_ids, seqs) AS d (room_id, sender_id, seq)
   WHERE m.room_id = d.room_id AND m.account_id = d.sender_id AND d.seq IS NOT NULL
     AND (SELECT p.slow_mode_s FROM room_position p WHERE p.room_id = d.room_id) > 0;
END $$;

-- The rest of append_messages when a row was refused, known, or had a twin in its group. The rooms are
-- locked and tried_seqs holds the numbers under which keys were tried (null: not entitled). Nothing was
-- raised yet, so a key is of this group exactly if its seq lies above the last_seq of its locked room.
-- Survivors, the rows whose own key went in, are numbered anew without holes; every other row is
-- answered by the key that it met or, without one, by why it is refused.
CREATE FUNCTION append_survivors(
  now_ timestamptz, tried_seqs bigint[],
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kept_seqs bigint[];
  kept_revs bigint[];
BEGIN
  -- What each row that survives is numbered now; null for the others.
  SELECT array_agg(s.last_seq + s.place ORDER BY s.i), array_agg(s.last_rev + s.place ORDER BY s.i)
    INTO kept_seqs, kept_revs
    FROM (SELECT c.i, c.last_seq, c.last_rev,
                 CASE WHEN c.kept
                   THEN count(*) FILTER (WHERE c.kept) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
            FROM (SELECT d.i, d.room_id, p.last_seq, p.last_rev,
                         (SELECT k.room_id = d.room_id AND k.seq = d.seq FROM send_key k
                           WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key)
                         AND d.seq > p.last_seq AS kept
                    FROM unnest(room_ids, sender_ids, client_keys, tried_seqs)
                           WITH ORDINALITY AS d (room_id, sender_id, client_key, seq, i)
                    LEFT JOIN room_position p ON p.room_id = d.room_id OFFSET 0) c) s;

  UPDATE send_key k SET seq = d.kept_seq
    FROM unnest(sender_ids, client_keys, tried_seqs, kept_seqs) AS d (sender_id, client_key, tried_seq, kept_seq)
   WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key AND d.kept_seq <> d.tried_seq;

  INSERT INTO message (room_id, seq, rev, sender_id, ts, client_id, msg_type, body, reply_to, topic)
    SELECT d.room_id, d.seq, d.rev, d.sender_id, now_, d.client_id, d.msg_type, d.body, d.reply_to, d.topic
      FROM unnest(room_ids, kept_seqs, kept_revs, sender_ids, client_ids, msg_types, bodies, reply_tos, topics)
             AS d (room_id, seq, rev, sender_id, client_id, msg_type, body, reply_to, topic)
     WHERE d.seq IS NOT NULL;

  -- Before it is said how long others of the group have to wait.
  PERFORM remember_pace(now_, room_ids, sender_ids, kept_seqs);

  -- Before the counters are raised: a reply may only name what the room held before this group.
  SELECT array_agg(a.outcome ORDER BY a.i), array_agg(a.seq ORDER BY a.i),
         array_agg(a.rev ORDER BY a.i), array_agg(a.ms ORDER BY a.i),
         array_agg(CASE WHEN a.outcome IN ('muted', 'slow_mode')
                     THEN silence_ms(a.room_id, a.sender_id, now_) END ORDER BY a.i)
    INTO outcomes, seqs, revs, times, waits
    FROM (SELECT d.i, d.room_id, d.sender_id,
                 CASE WHEN d.kept_seq IS NOT NULL THEN 'stored'
                      WHEN k.seq IS NOT NULL THEN
                        CASE WHEN k.room_id = d.room_id AND k.content_hash = d.content_hash
                          THEN 'duplicate' ELSE 'mismatch' END
                      ELSE send_refused(d.room_id, d.sender_id, d.reply_to, now_) END AS outcome,
                 k.seq, s.rev, (extract(epoch FROM s.ts) * 1000)::bigint AS ms
            FROM unnest(room_ids, sender_ids, client_keys, content_hashes, kept_seqs, reply_tos)
                   WITH ORDINALITY AS d (room_id, sender_id, client_key, content_hash, kept_seq, reply_to, i)
            LEFT JOIN LATERAL (SELECT * FROM send_key k
                                WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key
                                OFFSET 0) k ON true
            LEFT JOIN LATERAL (SELECT m.rev, m.ts FROM message m
                                WHERE m.room_id = k.room_id AND m.seq = k.seq
                                OFFSET 0) s ON true
           OFFSET 0) a;

  UPDATE room_position p SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n
    FROM (SELECT r.room_id, count(*) AS n FROM unnest(room_ids, kept_seqs) AS r (room_id, seq)
           WHERE r.seq IS NOT NULL GROUP BY r.room_id) d
   WHERE p.room_id = d.room_id;
END $$;

-- Why the caller may not change a message, null where it may:
--   not_found | forbidden | archived | blocked | muted | no_message | not_yours | gone
-- deletes: admins and owners may do that to messages of others, but in direct rooms, and nobody is kept
-- from it by being muted or blocked. The room is locked. The rights are those of RoomRight.
CREATE FUNCTION change_refused(room_ bigint, seq_ bigint, caller_ bigint, deletes boolean, now_ timestamptz)
RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place  record;
  member record;
  target record;
BEGIN
  SELECT r.type, p.archived, p.blocked INTO place
    FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
  SELECT m.role, m.sees_all, m.muted_until INTO member
    FROM room_member m WHERE m.room_id = room_ AND m.account_id = caller_;
  IF NOT FOUND THEN
    RETURN stranger_refused(room_, caller_, place.type);
  END IF;
  IF place.archived THEN
    RETURN 'archived';
  END IF;
  IF place.blocked AND NOT deletes THEN
    RETURN 'blocked';
  END IF;
  IF member.muted_until > now_ AND NOT deletes THEN
    RETURN 'muted';
  END IF;
  SELECT m.sender_id, m.deleted_at INTO target FROM message m WHERE m.room_id = room_ AND m.seq = seq_;
  IF NOT FOUND OR NOT (member.sees_all OR span_shows(room_, caller_, seq_)) THEN
    RETURN 'no_message';
  END IF;
  IF target.sender_id <> caller_
     AND NOT (deletes AND member.role IN ('owner', 'admin') AND place.type <> 'direct') THEN
    RETURN 'not_yours';
  END IF;
  RETURN CASE WHEN target.deleted_at IS NOT NULL THEN 'gone' END;
END $$;

-- As before; one who is muted hears how many milliseconds to wait.
CREATE FUNCTION edit_message(
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

-- As before, and that of a message of somebody else stands in the audit log.
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
