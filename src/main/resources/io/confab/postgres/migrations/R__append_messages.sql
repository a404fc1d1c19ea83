-- Stores messages in groups: one call and one transaction for a group. A lone one goes to append_message.
--   rooms        the rooms of the group, ascending, each once
--   counts       of each of them, how many rows it has
--   slots        of each row, the place of its room in rooms, from 1
--   places       of each row, the how-manieth of its room it is, from 1, in the order in which they came
-- If outcomes is null, every row was stored at times[1]: row i with seqs[slots[i]] + places[i] and
-- revs[slots[i]] + places[i]. Else all of these are as append_carefully answers. names and mentions are as of
-- find_mentions, each null if it is so of all rows. seated is as of append_carefully.
--
-- Lock order of every writer: rooms ascending, then send keys ascending by (sender_id, client_key), then
-- the rest. Each statement of a VOLATILE function has a snapshot of its own, so what follows the lock
-- sees everything that was committed while it waited.
--
-- Usual path: every row is numbered as if it were fresh and its sender entitled, and its key is inserted with
-- that number; if as many keys went in as there are rows, the numbers stand. Else what was done is undone and
-- append_carefully does it. What a member sent is counted by the look at its right, and keys go in only if all rows
-- were counted. The keys of a group are inserted without ON CONFLICT, whose second look at the index
-- costs more than a subtransaction.
--
-- Entitled is a member of a room that is neither archived, blocked nor sealed, who is inside where the room has a capacity, is
-- not muted, and whose reply names a message that they can see. Rooms with slow mode always go carefully.
--
-- Look-ups in tables that grow are written as scalar subqueries, which always probe the whole key. The
-- writers' connections set what else their plans need.
-- The time is taken under the locks, so it does not go back within a room as long as the clock of the
-- machine does not; nothing is ordered by it.
CREATE OR REPLACE FUNCTION append_messages(
  rooms bigint[], counts bigint[], slots integer[], places bigint[],
  sender_ids bigint[], client_ids text[], client_keys uuid[], content_hashes bigint[],
  msg_types text[], bodies text[], reply_tos bigint[], topics text[], names text[],
  seated boolean[],
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[],
  OUT mentions text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  size     int := cardinality(slots);
  now_     timestamptz;
  ordinals bigint[];
  usual    boolean;
  inserted bigint;
BEGIN
  SELECT array_agg(p.last_seq), array_agg(p.last_rev), array_agg(p.countable),
         count(*) = cardinality(rooms) AND NOT bool_or(p.archived OR p.blocked OR p.sealed OR p.slow_mode_s > 0
                                                           OR p.capped AND (seated IS NULL OR EXISTS (
                                                                SELECT FROM unnest(slots, seated) AS d (slot, seated)
                                                                 WHERE rooms[d.slot] = p.room_id AND NOT d.seated)))
    INTO seqs, revs, ordinals, usual
    FROM (SELECT * FROM room_position p WHERE p.room_id = ANY (rooms) ORDER BY p.room_id FOR NO KEY UPDATE) p;
  now_ := date_trunc('milliseconds', clock_timestamp());
  IF usual THEN
    BEGIN
      WITH counted AS (
        UPDATE room_member m SET sent = m.sent + c.n
          FROM (SELECT rooms[d.slot] AS room_id, d.sender_id, count(*)::integer AS n
                  FROM unnest(slots, sender_ids) AS d (slot, sender_id) GROUP BY d.slot, d.sender_id) c
         WHERE m.room_id = c.room_id AND m.account_id = c.sender_id
           AND (m.muted_until IS NULL OR m.muted_until <= now_)
        RETURNING c.n)
      INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
        SELECT d.sender_id, d.client_key, rooms[d.slot], seqs[d.slot] + d.place, d.content_hash
          FROM unnest(slots, places, sender_ids, client_keys, content_hashes, reply_tos)
                 AS d (slot, place, sender_id, client_key, content_hash, reply_to)
         WHERE (SELECT sum(c.n) FROM counted c) = size
           AND (d.reply_to IS NULL
                OR d.reply_to BETWEEN 1 AND seqs[d.slot]
                   AND (SELECT m.sees_all OR span_shows(m.room_id, m.account_id, d.reply_to) FROM room_member m
                         WHERE m.room_id = rooms[d.slot] AND m.account_id = d.sender_id))
         ORDER BY d.sender_id, d.client_key;
      GET DIAGNOSTICS inserted = ROW_COUNT;
      IF inserted < size THEN
        RAISE SQLSTATE 'CF001';
      END IF;
    EXCEPTION WHEN unique_violation OR SQLSTATE 'CF001' THEN
      usual := false;
    END;
  END IF;
  IF usual THEN
    IF names IS NOT NULL THEN
      SELECT find_mentions(array_agg(rooms[d.slot] ORDER BY d.i), sender_ids, names) INTO mentions
        FROM unnest(slots) WITH ORDINALITY AS d (slot, i);
    END IF;
    INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body, reply_to, topic,
                         mentions)
      SELECT rooms[d.slot], seqs[d.slot] + d.place, revs[d.slot] + d.place, ordinals[d.slot] + d.place,
             d.sender_id, now_, d.client_id, d.msg_type, d.body, d.reply_to, d.topic, d.mentions::bigint[]
        FROM unnest(slots, places, sender_ids, client_ids, msg_types, bodies, reply_tos, topics, mentions)
               AS d (slot, place, sender_id, client_id, msg_type, body, reply_to, topic, mentions);
    UPDATE room_position p
       SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n, countable = p.countable + d.n
      FROM unnest(rooms, counts) AS d (room_id, n)
     WHERE p.room_id = d.room_id;
    IF names IS NOT NULL THEN
      INSERT INTO mention (account_id, room_id, seq, sender_id)
        SELECT a.account_id, rooms[d.slot], seqs[d.slot] + d.place, d.sender_id
          FROM unnest(slots, places, sender_ids, mentions) AS d (slot, place, sender_id, mentions)
         CROSS JOIN LATERAL unnest(d.mentions::bigint[]) AS a (account_id)
         WHERE a.account_id >= 0;
    END IF;
    times := ARRAY[(extract(epoch FROM now_) * 1000)::bigint];
    RETURN;
  END IF;

  SELECT s.outcomes, s.seqs, s.revs, s.times, s.waits, s.mentions INTO outcomes, seqs, revs, times, waits, mentions
    FROM append_carefully(ARRAY(SELECT rooms[d.slot] FROM unnest(slots) WITH ORDINALITY AS d (slot, i) ORDER BY d.i),
                          sender_ids, client_ids, client_keys, content_hashes,
                          msg_types, bodies, reply_tos, topics, names, seated) s;
END $$;
