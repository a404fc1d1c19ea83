-- Edits and deletes messages: one call and one transaction for a run of changes, given in the order in
-- which they came; client_keys, content_hashes and bodies are null for a deletion. A deletion leaves a
-- tombstone, former versions go too and keys stay; that of another's message is noted in the audit log.
-- What became of each, in their order:
--   stored     with rev and time of the change, whether others may have more or less unread by it, and the message as it
--              stands after the run
--   duplicate  of an edit, whatever became of its caller or message since: with the rev of the first try
--   mismatch   the key was used for something else
--   or why it is refused; muted with the milliseconds to wait
-- Lock order and numbers as of append_messages: a change that is allowed, also after those before it, is
-- numbered as if it were fresh, and its key is inserted with that rev. Where keys were known the rest is
-- numbered anew. A key is of this run exactly if its rev is the one under which it was tried: all others
-- of a locked room are lower.
--
-- names, seated: as of append_messages; names of edits. Those mentioned before are so no longer.
--
-- A run of one takes the path of change_message first.
CREATE OR REPLACE FUNCTION change_messages(
  room_ids bigint[], seqs bigint[], caller_ids bigint[], client_keys uuid[], content_hashes bigint[], bodies text[],
  names text[], seated boolean[])
RETURNS TABLE (outcome text, at_rev bigint, at_ts timestamptz, wait_ms bigint, recounts boolean, stored message)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  now_     timestamptz;
  refusals text[];
  tried    bigint[];
  edits    bigint;
  inserted bigint;
  made     bigint[];
  alone    record;
  mentions  text[];
  recounted boolean[];
BEGIN
  IF cardinality(room_ids) = 1 THEN
    alone := change_message(room_ids[1], seqs[1], caller_ids[1], client_keys[1], content_hashes[1], bodies[1],
                            names[1], coalesce(seated[1], false));
    IF alone.at_rev IS NOT NULL THEN
      RETURN QUERY SELECT 'stored', alone.at_rev, alone.at_ts, NULL::bigint, alone.recounts, alone.stored;
      RETURN;
    END IF;
  END IF;

  PERFORM 1 FROM room_position p WHERE p.room_id = ANY (room_ids) ORDER BY p.room_id FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());

  SELECT array_agg(n.refusal ORDER BY n.i), array_agg(n.last_rev + n.place ORDER BY n.i),
         count(n.place) FILTER (WHERE NOT n.deletes)
    INTO refusals, tried, edits
    FROM (SELECT r.i, r.deletes, r.refusal, p.last_rev,
                 CASE WHEN r.refusal IS NULL
                   THEN count(*) FILTER (WHERE r.refusal IS NULL) OVER (PARTITION BY r.room_id ORDER BY r.i) END AS place
            FROM (SELECT c.i, c.room_id, c.deletes,
                         coalesce(c.refusal,
                                  CASE WHEN bool_or(c.deletes AND c.refusal IS NULL) OVER earlier THEN 'gone' END) AS refusal
                    FROM (SELECT d.i, d.room_id, d.seq, d.client_key IS NULL AS deletes,
                                 change_refused(d.room_id, d.seq, d.caller_id, d.client_key IS NULL, now_,
                                                coalesce(seated[d.i], false)) AS refusal
                            FROM unnest(room_ids, seqs, caller_ids, client_keys)
                                   WITH ORDINALITY AS d (room_id, seq, caller_id, client_key, i) OFFSET 0) c
                  WINDOW earlier AS (PARTITION BY c.room_id, c.seq ORDER BY c.i
                                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) r
            LEFT JOIN room_position p ON p.room_id = r.room_id OFFSET 0) n;

  INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash, rev)
    SELECT d.caller_id, d.client_key, d.room_id, d.seq, d.content_hash, d.rev
      FROM unnest(caller_ids, client_keys, room_ids, seqs, content_hashes, tried)
             WITH ORDINALITY AS d (caller_id, client_key, room_id, seq, content_hash, rev, i)
     WHERE d.client_key IS NOT NULL AND d.rev IS NOT NULL
     ORDER BY d.caller_id, d.client_key, d.i
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS inserted = ROW_COUNT;

  made := tried;
  IF inserted < edits THEN
    SELECT array_agg(n.last_rev + n.place ORDER BY n.i) INTO made
      FROM (SELECT c.i, p.last_rev,
                   CASE WHEN c.made
                     THEN count(*) FILTER (WHERE c.made) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
              FROM (SELECT d.i, d.room_id,
                           d.rev IS NOT NULL
                           AND (d.client_key IS NULL
                                OR (SELECT k.room_id = d.room_id AND k.rev = d.rev FROM send_key k
                                     WHERE k.sender_id = d.caller_id AND k.client_key = d.client_key)) AS made
                      FROM unnest(room_ids, caller_ids, client_keys, tried)
                             WITH ORDINALITY AS d (room_id, caller_id, client_key, rev, i) OFFSET 0) c
              LEFT JOIN room_position p ON p.room_id = c.room_id OFFSET 0) n;
    UPDATE send_key k SET rev = d.rev
      FROM unnest(caller_ids, client_keys, tried, made) AS d (caller_id, client_key, tried, rev)
     WHERE k.sender_id = d.caller_id AND k.client_key = d.client_key AND d.rev <> d.tried;
  END IF;

  INSERT INTO message_version (room_id, seq, rev, body, ts)
    SELECT d.room_id, d.seq, coalesce(lag(d.rev) OVER earlier, m.changed_rev, m.rev),
           coalesce(lag(d.body) OVER earlier, m.body),
           CASE WHEN lag(d.rev) OVER earlier IS NULL THEN coalesce(m.edited_at, m.ts) ELSE now_ END
      FROM unnest(room_ids, seqs, client_keys, bodies, made)
             WITH ORDINALITY AS d (room_id, seq, client_key, body, rev, i)
      JOIN message m ON m.room_id = d.room_id AND m.seq = d.seq
     WHERE d.client_key IS NOT NULL AND d.rev IS NOT NULL
    WINDOW earlier AS (PARTITION BY d.room_id, d.seq ORDER BY d.i);

  IF array_position(client_keys, NULL) IS NOT NULL THEN
    DELETE FROM message_version v
     USING unnest(room_ids, seqs, client_keys, made) AS d (room_id, seq, client_key, rev)
     WHERE v.room_id = d.room_id AND v.seq = d.seq AND d.client_key IS NULL AND d.rev IS NOT NULL;
    INSERT INTO room_audit (room_id, actor_id, action, account_id, data)
      SELECT d.room_id, d.caller_id, 'message.deleted', m.sender_id, jsonb_build_object('seq', d.seq)
        FROM unnest(room_ids, seqs, caller_ids, client_keys, made) AS d (room_id, seq, caller_id, client_key, rev)
        JOIN message m ON m.room_id = d.room_id AND m.seq = d.seq
       WHERE d.client_key IS NULL AND d.rev IS NOT NULL AND m.sender_id <> d.caller_id;
  END IF;

  -- By where the rows are: each is found by its whole key, whatever the planner makes of small tables.
  DELETE FROM mention o
   WHERE o.ctid = ANY (ARRAY(
     SELECT k.ctid
       FROM (SELECT DISTINCT d.room_id, d.seq,
                    (SELECT m.mentions FROM message m WHERE m.room_id = d.room_id AND m.seq = d.seq) AS mentions
               FROM unnest(room_ids, seqs, made) AS d (room_id, seq, rev) WHERE d.rev IS NOT NULL) d
      CROSS JOIN LATERAL unnest(d.mentions) AS a (account_id)
      CROSS JOIN LATERAL (SELECT x.ctid FROM mention x
                           WHERE x.account_id = a.account_id AND x.room_id = d.room_id AND x.seq = d.seq LIMIT 1) k));
  IF names IS NOT NULL THEN
    mentions := find_mentions(room_ids, caller_ids, names);
  END IF;

  SELECT array_agg(d.client_key IS NULL
                   OR (SELECT m.mentions FROM message m WHERE m.room_id = d.room_id AND m.seq = d.seq)
                        IS DISTINCT FROM d.mentions::bigint[] ORDER BY d.i) INTO recounted
    FROM unnest(room_ids, seqs, client_keys, mentions)
           WITH ORDINALITY AS d (room_id, seq, client_key, mentions, i)
   WHERE d.room_id IS NOT NULL;

  -- Of the changes of one message the last one says how it stands.
  UPDATE message m
     SET body = d.body,
         mentions = d.mentions::bigint[],
         topic = CASE WHEN NOT d.deletes THEN m.topic END,
         reply_to = CASE WHEN NOT d.deletes THEN m.reply_to END,
         edited_at = CASE WHEN NOT d.deletes THEN now_ END,
         deleted_at = CASE WHEN d.deletes THEN now_ END,
         deleted_by = CASE WHEN d.deletes THEN d.caller_id END,
         changed_rev = d.rev
    FROM (SELECT DISTINCT ON (c.room_id, c.seq)
                 c.room_id, c.seq, c.caller_id, c.client_key IS NULL AS deletes, c.body, c.rev, c.mentions
            FROM unnest(room_ids, seqs, caller_ids, client_keys, bodies, made, mentions)
                   AS c (room_id, seq, caller_id, client_key, body, rev, mentions)
           WHERE c.rev IS NOT NULL
           ORDER BY c.room_id, c.seq, c.rev DESC) d
   WHERE m.room_id = d.room_id AND m.seq = d.seq;
  IF names IS NOT NULL THEN
    INSERT INTO mention (account_id, room_id, seq, sender_id)
      SELECT a.account_id, c.room_id, c.seq, c.caller_id
        FROM (SELECT DISTINCT ON (d.room_id, d.seq) d.room_id, d.seq, d.caller_id, d.mentions
                FROM unnest(room_ids, seqs, caller_ids, made, mentions)
                       AS d (room_id, seq, caller_id, rev, mentions)
               WHERE d.rev IS NOT NULL
               ORDER BY d.room_id, d.seq, d.rev DESC) c
       CROSS JOIN LATERAL unnest(c.mentions::bigint[]) AS a (account_id)
       WHERE a.account_id >= 0;
  END IF;

  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
    SELECT d.room_id, d.rev, p.last_seq,
           CASE WHEN d.client_key IS NULL THEN 'message.deleted' ELSE 'message.edited' END, d.caller_id, now_,
           CASE WHEN d.client_key IS NULL
             THEN jsonb_build_object('seq', d.seq, 'deleted_by', id_text(d.caller_id))
             WHEN d.recounts THEN jsonb_build_object('seq', d.seq, 'recounts', true)
             ELSE jsonb_build_object('seq', d.seq) END
      FROM unnest(room_ids, seqs, caller_ids, client_keys, made, recounted)
             AS d (room_id, seq, caller_id, client_key, rev, recounts)
      JOIN room_position p ON p.room_id = d.room_id
     WHERE d.rev IS NOT NULL;

  UPDATE room_position p SET last_rev = p.last_rev + d.n
    FROM (SELECT c.room_id, count(*) AS n FROM unnest(room_ids, made) AS c (room_id, rev)
           WHERE c.rev IS NOT NULL GROUP BY c.room_id) d
   WHERE p.room_id = d.room_id;

  RETURN QUERY
    SELECT a.outcome, a.rev, now_,
           CASE WHEN a.outcome = 'muted' THEN silence_ms(a.room_id, a.caller_id, now_) END,
           a.recounts,
           CASE WHEN a.outcome IN ('stored', 'duplicate')
             THEN (SELECT m FROM message m WHERE m.room_id = a.room_id AND m.seq = a.seq) END
      FROM (SELECT d.i, d.room_id, d.seq, d.caller_id, d.recounts, coalesce(d.rev, k.rev) AS rev,
                   CASE WHEN d.rev IS NOT NULL THEN 'stored'
                        WHEN k.seq IS NULL THEN d.refusal
                        WHEN k.rev IS NOT NULL AND k.room_id = d.room_id AND k.seq = d.seq
                             AND k.content_hash = d.content_hash THEN 'duplicate'
                        ELSE 'mismatch' END AS outcome
              FROM unnest(room_ids, seqs, caller_ids, client_keys, content_hashes, refusals, made,
                          recounted)
                     WITH ORDINALITY AS d (room_id, seq, caller_id, client_key, content_hash, refusal, rev, recounts, i)
              LEFT JOIN LATERAL (SELECT * FROM send_key k
                                  WHERE k.sender_id = d.caller_id AND k.client_key = d.client_key
                                  OFFSET 0) k ON true
             OFFSET 0) a
     ORDER BY a.i;
END $$;
