-- What append_messages does where not every row is simply stored. The rows are given in the order in which they
-- came; what became of each:
--   stored | duplicate   with seq, rev, ts (milliseconds since 1970)
--   mismatch             the key was used for other content
--   muted | slow_mode    with the milliseconds to wait
--   not_found | forbidden | archived | blocked | encrypted | no_seat | bad_reply
-- seated: which senders are inside their rooms; null: none.
-- names and mentions are as of append_messages; mentions of a row that is not stored mean nothing.
--
-- Every entitled row is numbered as if it were fresh and its key is inserted with that number. Entitled is who
-- append_messages says, unless slow mode holds them back; send_refused tells the reasons.
--
-- OFFSET 0 keeps the planner from copying a subquery to where its result is used.
CREATE OR REPLACE FUNCTION append_carefully(
  room_ids bigint[], sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[], names text[],
  seated boolean[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[],
  OUT mentions text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  now_ timestamptz;
BEGIN
  PERFORM 1 FROM room_position p WHERE p.room_id = ANY (room_ids) ORDER BY p.room_id FOR NO KEY UPDATE;
  now_ := date_trunc('milliseconds', clock_timestamp());

  SELECT array_agg(n.last_seq + n.place ORDER BY n.i) INTO seqs
    FROM (SELECT c.i, c.last_seq,
                 CASE WHEN c.entitled
                   THEN count(*) FILTER (WHERE c.entitled) OVER (PARTITION BY c.room_id ORDER BY c.i) END AS place
            FROM (SELECT d.i, d.room_id, p.last_seq,
                         NOT (p.archived OR p.blocked OR p.sealed OR p.capped AND NOT coalesce(seated[d.i], false))
                         AND coalesce(d.reply_to BETWEEN 1 AND p.last_seq, true)
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

  SELECT s.outcomes, s.seqs, s.revs, s.times, s.waits, s.mentions INTO outcomes, seqs, revs, times, waits, mentions
    FROM append_survivors(now_, seqs, room_ids, sender_ids, client_ids, client_keys, content_hashes,
                          msg_types, bodies, reply_tos, topics, names, seated) s;
END $$;
