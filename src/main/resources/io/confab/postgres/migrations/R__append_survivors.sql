-- The rest of append_carefully: a row may be refused, known, or have a twin in its group. The rooms are
-- locked and tried_seqs holds the numbers under which keys were tried (null: not entitled). Nothing was
-- raised yet, so a key is of this group exactly if its seq lies above the last_seq of its locked room.
-- Survivors, the rows whose own key went in, are numbered anew without holes; every other row is
-- answered by the key that it met or, without one, by why it is refused.
CREATE OR REPLACE FUNCTION append_survivors(
  now_ timestamptz, tried_seqs bigint[],
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[], names text[],
  seated boolean[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[],
  OUT mentions text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kept_seqs bigint[];
  kept_revs bigint[];
  ordinals  bigint[];
BEGIN
  -- What each row that survives is numbered now; null for the others.
  SELECT array_agg(s.last_seq + s.place ORDER BY s.i), array_agg(s.last_rev + s.place ORDER BY s.i),
         array_agg(s.countable + s.place ORDER BY s.i)
    INTO kept_seqs, kept_revs, ordinals
    FROM (SELECT c.i, c.last_seq, c.last_rev, c.countable,
                 CASE WHEN c.kept
                   THEN count(*) FILTER (WHERE c.kept) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
            FROM (SELECT d.i, d.room_id, p.last_seq, p.last_rev, p.countable,
                         (SELECT k.room_id = d.room_id AND k.seq = d.seq FROM send_key k
                           WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key)
                         AND d.seq > p.last_seq AS kept
                    FROM unnest(room_ids, sender_ids, client_keys, tried_seqs)
                           WITH ORDINALITY AS d (room_id, sender_id, client_key, seq, i)
                    LEFT JOIN room_position p ON p.room_id = d.room_id OFFSET 0) c) s;

  UPDATE send_key k SET seq = d.kept_seq
    FROM unnest(sender_ids, client_keys, tried_seqs, kept_seqs) AS d (sender_id, client_key, tried_seq, kept_seq)
   WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key AND d.kept_seq <> d.tried_seq;

  IF names IS NOT NULL THEN
    mentions := find_mentions(room_ids, sender_ids, names);
    INSERT INTO mention (account_id, room_id, seq, sender_id)
      SELECT a.account_id, d.room_id, d.seq, d.sender_id
        FROM unnest(room_ids, kept_seqs, sender_ids, mentions) AS d (room_id, seq, sender_id, mentions)
       CROSS JOIN LATERAL unnest(d.mentions::bigint[]) AS a (account_id)
       WHERE d.seq IS NOT NULL AND a.account_id >= 0;
  END IF;
  INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body, reply_to, topic,
                       mentions)
    SELECT d.room_id, d.seq, d.rev, d.ordinal, d.sender_id, now_, d.client_id, d.msg_type, d.body, d.reply_to, d.topic,
           d.mentions::bigint[]
      FROM unnest(room_ids, kept_seqs, kept_revs, ordinals, sender_ids, client_ids, msg_types, bodies,
                  reply_tos, topics, mentions)
             AS d (room_id, seq, rev, ordinal, sender_id, client_id, msg_type, body, reply_to, topic, mentions)
     WHERE d.seq IS NOT NULL;

  -- Before it is said how long others of the group have to wait.
  PERFORM remember_sends(now_, room_ids, sender_ids, kept_seqs);

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
                      ELSE send_refused(d.room_id, d.sender_id, d.reply_to, now_, coalesce(seated[d.i], false)) END AS outcome,
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

  UPDATE room_position p
     SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n, countable = p.countable + d.n
    FROM (SELECT r.room_id, count(*) AS n FROM unnest(room_ids, kept_seqs) AS r (room_id, seq)
           WHERE r.seq IS NOT NULL GROUP BY r.room_id) d
   WHERE p.room_id = d.room_id;
END $$;
