-- Storing messages in groups: append_messages is one call and one transaction for a group.
--
-- Lock order of every writer: rooms ascending, then send keys ascending by (sender_id, client_key), then
-- the rest. Each statement of a VOLATILE function has a snapshot of its own, so what follows the lock
-- sees everything that was committed while it waited.
--
-- Usual path: every entitled row is numbered as if it were fresh and its key is inserted with that
-- number; if as many keys went in as there are rows, the numbers stand. Else append_survivors.
--
-- Look-ups in tables that grow are written as scalar subqueries, which always probe the whole key;
-- OFFSET 0 keeps the planner from copying one to where its result is used. Writers' connections set
-- what else their plans need.
-- The time is taken under the locks, so it does not go back within a room as long as the clock of the
-- machine does not; nothing is ordered by it.

-- The rows of a group, in the order in which they came, and what became of each:
--   stored | duplicate              with seq, rev, ts (milliseconds since 1970)
--   mismatch                        the key was used for other content
--   not_found | forbidden | archived | bad_reply
CREATE FUNCTION append_messages(
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
  inserted bigint := 0;
BEGIN
  IF size = 1 THEN
    SELECT p.last_seq, p.last_rev, NOT p.archived INTO last_seq, last_rev, entitled
      FROM room_position p WHERE p.room_id = room_ids[1] FOR NO KEY UPDATE;
    now_ := date_trunc('milliseconds', clock_timestamp());
    IF entitled AND coalesce(reply_tos[1] BETWEEN 1 AND last_seq, true) THEN
      PERFORM 1 FROM room_member m WHERE m.room_id = room_ids[1] AND m.account_id = sender_ids[1];
      IF FOUND THEN
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
                           AND (SELECT true FROM room_member m
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

-- The rest of append_messages when a row was refused, known, or had a twin in its group. The rooms are
-- locked and tried_seqs holds the numbers under which keys were tried (null: not entitled). Nothing was
-- raised yet, so a key is of this group exactly if its seq lies above the last_seq of its locked room.
-- Survivors, the rows whose own key went in, are numbered anew without holes; every other row is
-- answered by the key that it met or, without one, by why it is refused.
CREATE FUNCTION append_survivors(
  now_ timestamptz, tried_seqs bigint[],
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kept_seqs bigint[];
  kept_revs bigint[];
BEGIN
  -- What each row that survives is numbered now; null for the others.
  SELECT array_agg(n.last_seq + n.place ORDER BY n.i), array_agg(n.last_rev + n.place ORDER BY n.i)
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
                    LEFT JOIN room_position p ON p.room_id = d.room_id OFFSET 0) c) n;

  UPDATE send_key k SET seq = d.kept_seq
    FROM unnest(sender_ids, client_keys, tried_seqs, kept_seqs) AS d (sender_id, client_key, tried_seq, kept_seq)
   WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key AND d.kept_seq <> d.tried_seq;

  INSERT INTO message (room_id, seq, rev, sender_id, ts, client_id, msg_type, body, reply_to, topic)
    SELECT d.room_id, d.seq, d.rev, d.sender_id, now_, d.client_id, d.msg_type, d.body, d.reply_to, d.topic
      FROM unnest(room_ids, kept_seqs, kept_revs, sender_ids, client_ids, msg_types, bodies, reply_tos, topics)
             AS d (room_id, seq, rev, sender_id, client_id, msg_type, body, reply_to, topic)
     WHERE d.seq IS NOT NULL;

  -- Before the counters are raised: a reply may only name what the room held before this group.
  SELECT array_agg(a.outcome ORDER BY a.i), array_agg(a.seq ORDER BY a.i),
         array_agg(a.rev ORDER BY a.i), array_agg(a.ms ORDER BY a.i)
    INTO outcomes, seqs, revs, times
    FROM (SELECT d.i,
                 CASE WHEN d.kept_seq IS NOT NULL THEN 'stored'
                      WHEN k.seq IS NOT NULL THEN
                        CASE WHEN k.room_id = d.room_id AND k.content_hash = d.content_hash
                          THEN 'duplicate' ELSE 'mismatch' END
                      WHEN p.room_id IS NULL THEN 'not_found'
                      WHEN (SELECT true FROM room_member m
                             WHERE m.room_id = d.room_id AND m.account_id = d.sender_id) IS NULL THEN
                        CASE (SELECT r.type FROM room r WHERE r.room_id = d.room_id)
                          WHEN 'channel' THEN 'forbidden' ELSE 'not_found' END
                      WHEN p.archived THEN 'archived'
                      ELSE 'bad_reply' END AS outcome,
                 k.seq, s.rev, (extract(epoch FROM s.ts) * 1000)::bigint AS ms
            FROM unnest(room_ids, sender_ids, client_keys, content_hashes, kept_seqs)
                   WITH ORDINALITY AS d (room_id, sender_id, client_key, content_hash, kept_seq, i)
            LEFT JOIN room_position p ON p.room_id = d.room_id
            LEFT JOIN LATERAL (SELECT * FROM send_key k
                                WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key
                                OFFSET 0) k ON true
            LEFT JOIN LATERAL (SELECT m.rev, m.ts FROM message m
                                WHERE m.room_id = k.room_id AND m.seq = k.seq
                                OFFSET 0) s ON true) a;

  UPDATE room_position p SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n
    FROM (SELECT r.room_id, count(*) AS n FROM unnest(room_ids, kept_seqs) AS r (room_id, seq)
           WHERE r.seq IS NOT NULL GROUP BY r.room_id) d
   WHERE p.room_id = d.room_id;
END $$;
