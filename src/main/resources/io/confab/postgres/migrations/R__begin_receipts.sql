-- What the members of a room have received and read of each other's messages, as move_markers would have noted it, for
-- when the next one to leave is the one by whom the room has receipts again. Of the last 2,000 messages; the room is
-- locked, and all of its markers are.
CREATE OR REPLACE FUNCTION begin_receipts(room_ bigint, leaving_ bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  members bigint[] := ARRAY(SELECT m.account_id FROM room_member m WHERE m.room_id = room_ ORDER BY m.account_id);
  raised  bigint[];
BEGIN
  PERFORM 1 FROM unnest(members) AS d (account_id)
    CROSS JOIN LATERAL (SELECT FROM marker k WHERE k.account_id = d.account_id AND k.room_id = room_
                          FOR NO KEY UPDATE) k;
  WITH reader AS MATERIALIZED (
    SELECT d.account_id, s.from_rev, greatest(k.delivered_seq, k.read_seq) AS delivered_seq,
           CASE WHEN a.private_reading THEN 0 ELSE k.read_seq END AS read_seq
      FROM unnest(members) AS d (account_id)
      CROSS JOIN LATERAL (SELECT * FROM marker k WHERE k.account_id = d.account_id AND k.room_id = room_ LIMIT 1) k
      CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = d.account_id LIMIT 1) a
      CROSS JOIN LATERAL (SELECT * FROM member_span s WHERE s.room_id = room_ AND s.account_id = d.account_id
                                                        AND s.to_rev IS NULL LIMIT 1) s
     WHERE d.account_id <> leaving_ AND a.presence_visible_to <> 'nobody'),
  passed AS (
    SELECT x.sender_id, r.account_id AS reader_id, max(x.seq) AS delivered_seq,
           coalesce(max(x.seq) FILTER (WHERE x.seq <= r.read_seq), 0) AS read_seq
      FROM (SELECT x.* FROM room_position p
             CROSS JOIN LATERAL (SELECT * FROM message x
                                  WHERE x.room_id = room_ AND x.seq > p.last_seq - 2000) x
             WHERE p.room_id = room_) x
      JOIN reader r ON r.account_id <> x.sender_id AND r.from_rev < x.rev AND r.delivered_seq >= x.seq
     WHERE x.sender_id = ANY (members) AND x.sender_id <> leaving_
     GROUP BY x.sender_id, r.account_id),
  changed AS (
    INSERT INTO receipt AS r (account_id, room_id, delivered_seq, read_seq, moved_at)
      SELECT p.sender_id, room_, max(p.delivered_seq), max(p.read_seq), clock_timestamp()
        FROM passed p WHERE NOT has_blocked(p.reader_id, p.sender_id)
       GROUP BY p.sender_id ORDER BY p.sender_id
    ON CONFLICT (account_id, room_id) DO UPDATE
      SET delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq),
          read_seq = greatest(r.read_seq, excluded.read_seq), moved_at = excluded.moved_at
      WHERE excluded.delivered_seq > r.delivered_seq OR excluded.read_seq > r.read_seq
    RETURNING r.account_id)
  SELECT array_agg(c.account_id) INTO raised FROM changed c;
  -- That of the leaving one changes, too: all are locked in one order.
  INSERT INTO account_changes AS c (account_id, markers)
    SELECT d.account_id, 1 FROM unnest(raised || leaving_) AS d (account_id) ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET markers = c.markers + 1;
END $$;
