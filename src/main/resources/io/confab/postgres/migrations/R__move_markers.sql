-- Moves markers as members ask, in one transaction for many requests. Each names a marker, what it is about (delivered |
-- read | unread) and a message; they are sorted by account and room, those of one marker in the order in which they came.
-- Received and read go forward only, and what is read is received; unread says from where the member wants to see messages
-- as unread, until it reads that far. What is sealed has arrived when a device acknowledges it (ack_queues): a marker says
-- that it was read, and nothing else. No room is locked: the numbers of a room that one statement sees belong together.
--
--   stood        of the rest of a request: where the call before it left unread_from, 0 for none; -1: it was marked since
--   outcomes     of each request: done | more (as far as one call goes: ask again for the rest) | aside (the same, but the marker
--                was marked as unread since, which the rest leaves alone) | beyond (the room has no such message yet) |
--                no_receipts | too_far, or what read_refused says
--   version      of two calls that moved one marker the later one has the higher
--   markers      those that the requests are about, as they stand now; whether they moved, and their places; whether the room
--                shows that to others, what was read too; the members whom theirs has blocked are not told
--   receipts     what became of those of senders, and up to which rev their rooms were seen
--
-- Own messages up to a place are counted from where they are known, the place before or the end of the room, whichever is
-- nearer; in rooms with receipts all messages that were passed are looked at. So a call goes `step` messages at most with
-- one marker, which holds its lock and those of the others in the call no longer than that takes; unread goes 10,000 at most,
-- in either direction, because it may go back and forth.
CREATE OR REPLACE FUNCTION move_markers(
  accounts bigint[], rooms bigint[], kinds text[], seqs bigint[], stood bigint[],
  OUT outcomes text[], OUT version bigint,
  OUT marker_accounts bigint[], OUT marker_rooms bigint[], OUT reads bigint[], OUT delivereds bigint[],
  OUT unread_froms bigint[], OUT moved boolean[], OUT replaced boolean[], OUT shown boolean[], OUT read_shown boolean[],
  OUT hidden_markers integer[], OUT hidden_from bigint[],
  OUT receipt_accounts bigint[], OUT receipt_rooms bigint[], OUT receipt_reads bigint[], OUT receipt_delivereds bigint[],
  OUT receipt_revs bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  step           CONSTANT bigint := 2000;
  now_           timestamptz;
  reads_before   bigint[];
  delivered_to   bigint[];
BEGIN
  PERFORM 1 FROM unnest(accounts, rooms) AS d (account_id, room_id)
    CROSS JOIN LATERAL (SELECT FROM marker k WHERE k.account_id = d.account_id AND k.room_id = d.room_id
                          FOR NO KEY UPDATE) k;
  now_ := clock_timestamp();
  version := extract(epoch FROM now_) * 1000000;

  -- Most calls are about what was received alone: the same as below, with less to set up, and never aside, which is for reads.
  IF 'delivered' = ALL (kinds) THEN
    WITH asked AS MATERIALIZED (
      SELECT d.i, d.account_id, d.room_id, k.read_seq, k.delivered_seq, k.unread_from,
             least(d.seq, r.sealed_from_seq - 1) AS wish, least(d.seq, r.sealed_from_seq - 1, k.delivered_seq + step) AS seq,
             CASE WHEN m.account_id IS NULL THEN read_refused(d.room_id, d.account_id)
                  WHEN d.seq > p.last_seq THEN 'beyond'
                  WHEN NOT has_receipts(r.member_count) THEN 'no_receipts' END AS refusal
        FROM unnest(accounts, rooms, seqs) WITH ORDINALITY AS d (account_id, room_id, seq, i)
        LEFT JOIN LATERAL (SELECT * FROM marker k WHERE k.account_id = d.account_id AND k.room_id = d.room_id LIMIT 1) k ON true
        LEFT JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = k.room_id LIMIT 1) p ON true
        LEFT JOIN LATERAL (SELECT * FROM room r WHERE r.room_id = k.room_id LIMIT 1) r ON true
        LEFT JOIN LATERAL (SELECT * FROM room_member m
                            WHERE m.room_id = k.room_id AND m.account_id = k.account_id LIMIT 1) m ON true),
    wanted AS MATERIALIZED (
      SELECT a.account_id, a.room_id, a.read_seq, a.delivered_seq, a.unread_from,
             greatest(a.delivered_seq, max(a.seq)) AS new_delivered
        FROM asked a WHERE a.refusal IS NULL
       GROUP BY a.account_id, a.room_id, a.read_seq, a.delivered_seq, a.unread_from),
    moving AS (
      UPDATE marker k SET delivered_seq = w.new_delivered, moved_at = now_
        FROM wanted w
       WHERE w.new_delivered > w.delivered_seq AND k.account_id = w.account_id AND k.room_id = w.room_id),
    told AS (
      SELECT w.*, w.new_delivered > w.delivered_seq AS moves, NOT a.private_reading AS shows_read,
             a.presence_visible_to <> 'nobody' AND w.new_delivered > w.delivered_seq AS shows
        FROM wanted w CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = w.account_id LIMIT 1) a
       ORDER BY w.account_id, w.room_id)
    SELECT (SELECT array_agg(coalesce(a.refusal, CASE WHEN a.seq >= a.wish THEN 'done' ELSE 'more' END) ORDER BY a.i)
              FROM asked a),
           array_agg(t.account_id), array_agg(t.room_id), array_agg(t.read_seq),
           array_agg(CASE WHEN t.shows_read THEN greatest(t.new_delivered, t.read_seq) ELSE t.new_delivered END),
           array_agg(t.unread_from), array_agg(t.moves), array_agg(false), array_agg(t.shows), array_agg(t.shows_read),
           array_agg(t.read_seq),
           array_agg(CASE WHEN t.shows_read THEN greatest(t.delivered_seq, t.read_seq) ELSE t.delivered_seq END)
      INTO outcomes, marker_accounts, marker_rooms, reads, delivereds, unread_froms, moved, replaced, shown, read_shown, reads_before,
           delivered_to
      FROM told t;
  ELSE
    WITH asked AS MATERIALIZED (
      SELECT d.i, d.account_id, d.room_id, d.kind, o.walks, h.held, r.sealed_from_seq - 1 AS plain_to,
             CASE WHEN d.kind = 'delivered' THEN least(d.seq, r.sealed_from_seq - 1) ELSE d.seq END AS wish,
             CASE WHEN o.walks THEN o.place + step
                  WHEN d.kind = 'read' AND (has_receipts(r.member_count) OR p.last_seq - d.seq > step)
                    THEN least(d.seq, k.read_seq + step)
                  WHEN d.kind = 'delivered' THEN least(d.seq, r.sealed_from_seq - 1, k.delivered_seq + step)
                  ELSE d.seq END AS seq,
             k.read_seq, k.delivered_seq, k.unread_from, k.ordinal, k.own,
             o.place, p.last_seq, m.sent, has_receipts(r.member_count) AS receipts,
             CASE WHEN m.sent IS NULL THEN read_refused(d.room_id, d.account_id)
                  WHEN d.seq > p.last_seq THEN 'beyond'
                  WHEN d.kind = 'delivered' AND NOT has_receipts(r.member_count) THEN 'no_receipts'
                  WHEN d.kind = 'unread' AND least(abs(o.place - d.seq), p.last_seq - d.seq) > 10000 THEN 'too_far' END AS refusal
        FROM unnest(accounts, rooms, kinds, seqs, stood) WITH ORDINALITY AS d (account_id, room_id, kind, seq, stood, i)
        LEFT JOIN LATERAL (SELECT * FROM marker k WHERE k.account_id = d.account_id AND k.room_id = d.room_id LIMIT 1) k ON true
        LEFT JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = k.room_id LIMIT 1) p ON true
        CROSS JOIN LATERAL (SELECT coalesce(d.stood <> coalesce(k.unread_from, 0), false) AS held) h
        -- What was marked as unread long ago is read step by step, before anything behind it.
        CROSS JOIN LATERAL (
          SELECT least(k.read_seq, k.unread_from - 1) AS place,
                 coalesce(d.kind = 'read' AND NOT h.held AND d.seq >= k.unread_from AND k.read_seq - k.unread_from >= step
                          AND p.last_seq - k.read_seq > step, false) AS walks) o
        LEFT JOIN LATERAL (SELECT * FROM room r WHERE r.room_id = k.room_id LIMIT 1) r ON true
        LEFT JOIN LATERAL (SELECT * FROM room_member m
                            WHERE m.room_id = k.room_id AND m.account_id = k.account_id LIMIT 1) m ON true),
    allowed AS (
      SELECT a.*, max(a.i) FILTER (WHERE a.kind = 'unread') OVER (PARTITION BY a.account_id, a.room_id) AS unread_at
        FROM asked a WHERE a.refusal IS NULL),
    wanted AS (
      SELECT a.account_id, a.room_id, a.read_seq, a.delivered_seq, a.unread_from, a.ordinal, a.own, a.place, a.last_seq, a.sent,
             a.receipts, bool_or(a.walks) AS walks,
             greatest(a.read_seq, max(a.seq) FILTER (WHERE a.kind = 'read')) AS new_read,
             greatest(a.delivered_seq, max(least(a.seq, a.plain_to)) FILTER (WHERE a.kind <> 'unread')) AS new_delivered,
             max(a.seq) FILTER (WHERE a.i = a.unread_at) AS unread_to,
             max(a.seq) FILTER (WHERE a.kind = 'read' AND NOT a.held AND (a.unread_at IS NULL OR a.i > a.unread_at)) AS read_last
        FROM allowed a
       GROUP BY a.account_id, a.room_id, a.read_seq, a.delivered_seq, a.unread_from, a.ordinal, a.own, a.place, a.last_seq,
                a.sent, a.receipts),
    marked AS (
      SELECT w.*, CASE WHEN w.read_last >= coalesce(w.unread_to, w.unread_from)
                         THEN CASE WHEN w.walks THEN w.read_last + 1 END
                       WHEN w.unread_to IS NULL THEN w.unread_from
                       WHEN f.first_seq <= w.new_read THEN f.first_seq END AS new_unread
        FROM wanted w
        CROSS JOIN LATERAL (
          SELECT CASE WHEN w.unread_to IS NOT NULL
                   THEN greatest(w.unread_to, (SELECT s.seen_from_seq FROM member_span s
                                                WHERE s.room_id = w.room_id AND s.account_id = w.account_id
                                                  AND s.to_rev IS NULL)) END AS first_seq) f),
    placed AS MATERIALIZED (
      SELECT w.*, least(w.new_read, w.new_unread - 1) AS new_place,
             w.new_read > w.read_seq OR w.new_delivered > w.delivered_seq OR w.new_unread IS DISTINCT FROM w.unread_from AS moves
        FROM marked w),
    moving AS (
      UPDATE marker k
         SET read_seq = w.new_read, delivered_seq = w.new_delivered, unread_from = w.new_unread, moved_at = now_,
             ordinal = CASE WHEN w.new_place = w.place THEN w.ordinal
                            ELSE coalesce((SELECT x.ordinal FROM message x
                                            WHERE x.room_id = w.room_id AND x.seq = w.new_place), 0) END,
             own = CASE
               WHEN w.new_place = w.place THEN w.own
               WHEN w.last_seq - w.new_place <= abs(w.new_place - w.place) THEN
                 w.sent - (SELECT count(*) FROM message x
                            WHERE x.room_id = w.room_id AND x.seq > w.new_place AND x.seq <= w.last_seq
                              AND x.sender_id = w.account_id)
               ELSE w.own + CASE WHEN w.new_place > w.place THEN 1 ELSE -1 END
                      * (SELECT count(*) FROM message x
                          WHERE x.room_id = w.room_id AND x.seq > least(w.new_place, w.place)
                            AND x.seq <= greatest(w.new_place, w.place) AND x.sender_id = w.account_id) END
        FROM placed w
       WHERE w.moves AND k.account_id = w.account_id AND k.room_id = w.room_id),
    told AS (
      SELECT w.*, NOT a.private_reading AS shows_read,
             w.receipts AND a.presence_visible_to <> 'nobody'
               AND (w.new_delivered > w.delivered_seq OR w.new_read > w.read_seq AND NOT a.private_reading) AS shows
        FROM placed w CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = w.account_id LIMIT 1) a)
    SELECT (SELECT array_agg(coalesce(a.refusal, CASE WHEN a.seq >= a.wish THEN 'done'
                                                      WHEN a.held OR l.unread_at > a.i THEN 'aside' ELSE 'more' END) ORDER BY a.i)
              FROM asked a LEFT JOIN allowed l USING (i)),
           array_agg(t.account_id ORDER BY t.account_id, t.room_id), array_agg(t.room_id ORDER BY t.account_id, t.room_id),
           array_agg(t.new_read ORDER BY t.account_id, t.room_id),
           array_agg(CASE WHEN t.shows_read THEN greatest(t.new_delivered, t.new_read) ELSE t.new_delivered END
                       ORDER BY t.account_id, t.room_id),
           array_agg(t.new_unread ORDER BY t.account_id, t.room_id), array_agg(t.moves ORDER BY t.account_id, t.room_id),
           array_agg(t.new_place <> t.place ORDER BY t.account_id, t.room_id),
           array_agg(t.shows ORDER BY t.account_id, t.room_id), array_agg(t.shows_read ORDER BY t.account_id, t.room_id),
           array_agg(t.read_seq ORDER BY t.account_id, t.room_id),
           array_agg(CASE WHEN t.shows_read THEN greatest(t.delivered_seq, t.read_seq) ELSE t.delivered_seq END
                       ORDER BY t.account_id, t.room_id)
      INTO outcomes, marker_accounts, marker_rooms, reads, delivereds, unread_froms, moved, replaced, shown, read_shown, reads_before,
           delivered_to
      FROM told t;
  END IF;

  IF shown && ARRAY[true] THEN
    SELECT array_agg(k.i), array_agg(b.blocked_id) INTO hidden_markers, hidden_from
      FROM unnest(marker_accounts, marker_rooms, shown) WITH ORDINALITY AS k (account_id, room_id, shown, i)
      JOIN block b ON b.account_id = k.account_id
      CROSS JOIN LATERAL (SELECT FROM room_member m WHERE m.room_id = k.room_id AND m.account_id = b.blocked_id LIMIT 1) m
     WHERE k.shown;

    -- Of whose messages the markers passed some. A membership begins at the newest message: what came before it was not read.
    WITH passed AS (
      SELECT k.account_id AS reader_id, k.room_id, s.sender_id, s.seq AS delivered_seq, 0::bigint AS read_seq
        FROM unnest(marker_accounts, marker_rooms, shown, delivered_to, delivereds)
               AS k (account_id, room_id, shown, low, high)
        CROSS JOIN LATERAL (SELECT x.sender_id, max(x.seq) AS seq FROM message x
                             WHERE x.room_id = k.room_id AND x.seq > k.low AND x.seq <= k.high GROUP BY x.sender_id) s
       WHERE k.shown
      UNION ALL
      SELECT k.account_id, k.room_id, s.sender_id, s.seq, s.seq
        FROM unnest(marker_accounts, marker_rooms, shown, read_shown, reads_before, reads)
               AS k (account_id, room_id, shown, read_shown, low, high)
        CROSS JOIN LATERAL (SELECT x.sender_id, max(x.seq) AS seq FROM message x
                             WHERE x.room_id = k.room_id AND x.seq > k.low AND x.seq <= k.high GROUP BY x.sender_id) s
       WHERE k.shown AND k.read_shown AND k.high > k.low),
    highest AS (
      SELECT p.sender_id, p.room_id, max(p.delivered_seq) AS delivered_seq, max(p.read_seq) AS read_seq
        FROM passed p
        CROSS JOIN LATERAL (SELECT FROM room_member m
                             WHERE m.room_id = p.room_id AND m.account_id = p.sender_id LIMIT 1) m
       WHERE p.sender_id <> p.reader_id AND NOT has_blocked(p.reader_id, p.sender_id)
       GROUP BY p.sender_id, p.room_id),
    raised AS (
      INSERT INTO receipt AS r (account_id, room_id, delivered_seq, read_seq, moved_at)
        SELECT h.sender_id, h.room_id, h.delivered_seq, h.read_seq, now_ FROM highest h ORDER BY h.sender_id, h.room_id
      ON CONFLICT (account_id, room_id) DO UPDATE
        SET delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq),
            read_seq = greatest(r.read_seq, excluded.read_seq), moved_at = excluded.moved_at
        WHERE excluded.delivered_seq > r.delivered_seq OR excluded.read_seq > r.read_seq
      RETURNING r.account_id, r.room_id, r.read_seq, r.delivered_seq,
                (SELECT p.last_rev FROM room_position p WHERE p.room_id = r.room_id) AS rev)
    SELECT array_agg(r.account_id), array_agg(r.room_id), array_agg(r.read_seq), array_agg(r.delivered_seq), array_agg(r.rev)
      INTO receipt_accounts, receipt_rooms, receipt_reads, receipt_delivereds, receipt_revs
      FROM raised r;
  END IF;

  INSERT INTO account_changes AS c (account_id, markers)
    SELECT DISTINCT d.account_id, 1
      FROM (SELECT k.account_id FROM unnest(marker_accounts, moved) AS k (account_id, moved) WHERE k.moved
            UNION ALL
            SELECT r.account_id FROM unnest(receipt_accounts) AS r (account_id)) d
     ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET markers = c.markers + 1;
END $$;
