-- Stores messages in groups: one call and one transaction for a group. The rows of a group are given in
-- the order in which they came; what became of each:
--   stored | duplicate   with seq, rev, ts (milliseconds since 1970)
--   mismatch             the key was used for other content
--   muted | slow_mode    with the milliseconds to wait
--   not_found | forbidden | archived | blocked | bad_reply
--
-- Lock order of every writer: rooms ascending, then send keys ascending by (sender_id, client_key), then
-- the rest. Each statement of a VOLATILE function has a snapshot of its own, so what follows the lock
-- sees everything that was committed while it waited.
--
-- Usual path: every entitled row is numbered as if it were fresh and its key is inserted with that
-- number; if as many keys went in as there are rows, the numbers stand. Else append_survivors.
--
-- Who is entitled: a member of a room that is neither archived nor blocked, who is not muted or held back
-- by slow mode, and whose reply names a message that they can see. send_refused tells the reasons.
--
-- Look-ups in tables that grow are written as scalar subqueries, which always probe the whole key;
-- OFFSET 0 keeps the planner from copying one to where its result is used. The writers' connections set
-- what else their plans need.
-- The time is taken under the locks, so it does not go back within a room as long as the clock of the
-- machine does not; nothing is ordered by it.
CREATE OR REPLACE FUNCTION append_messages(
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
