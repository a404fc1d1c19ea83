-- Stores sends of sealed rooms in groups: one call and one transaction for a group, whatever the number of devices. All have a
-- room, or none has: then rooms is {0}.
--   rooms, slots      the rooms of the group, ascending, each once; of each send, the place of its room there, from 1
--   digests           what the sender takes for the devices of the room
--   lastings          for how many seconds it lasts; null: as the room says
--   body_*            bodies for one device alone: of the how-manieth send, for which device. Each device of a send once
--   most_             envelopes of a queue; kept_ms: how long any of them lasts
-- What became of each send, in order:
--   stored            with seq and rev (null: silent), time, the number among the sends of its room (number_), and until when it lasts,
--                     if not as long as anything
--   duplicate         with seq, rev and time of the first try
--   mismatch          the key was used for other content
--   device_mismatch   the devices of the room are others: present_* has all of them, by the place of the room; without a room,
--                     one that is named is not there or not to be seen
--   not_open          the device of the sender is dormant and has to open its queue first; without a room it may send
--   bad_target        a body is for a device that the send does not go to; without a room, for that of the sender
--   muted | slow_mode with the milliseconds to wait
--   not_found | forbidden | archived | blocked | not_sealed | no_keys
-- target_*: into which queues sends went, under which numbers, and whether that is something to wake a device for and nothing
-- like it waited before. full_*: whose queues took nothing.
--
-- Lock order of every writer: rooms, send keys, then queues ascending by registration. The devices of a room are those whose
-- queues the one statement locks that looks for them: one that ended while it was waited for falls out with its queue, and all
-- locks are held before a number is given, so that any two devices get what both get in one order. What a send says of devices
-- is compared with what is locked.
--
-- Every send whose sender is entitled is numbered as if it were fresh and its key is inserted with that number. A key is of
-- this group exactly if this transaction inserted it, for the first row that has it. Who is refused leaves neither number nor
-- key, and its twins are answered as it is. A silent send takes no number of the room: its key has its time instead.
--
-- Rows that are locked are changed by where they are, so that each is found by its key, whatever the planner makes of small
-- tables.
CREATE OR REPLACE FUNCTION append_envelopes(
  rooms bigint[], slots integer[], sender_ids bigint[], device_ids text[], client_ids text[], client_keys uuid[],
  content_hashes bigint[], digests text[], silents boolean[], lastings integer[], payloads text[],
  body_sends integer[], body_registrations bigint[], body_accounts bigint[], body_devices text[], bodies text[],
  most_ bigint, kept_ms bigint,
  OUT outcomes text[], OUT seqs bigint[], OUT revs bigint[], OUT times bigint[], OUT waits bigint[], OUT numbers bigint[],
  OUT until bigint[],
  OUT target_sends integer[], OUT target_registrations bigint[], OUT target_seqs bigint[], OUT target_firsts boolean[],
  OUT target_accounts bigint[],
  OUT full_sends integer[], OUT full_accounts bigint[], OUT full_devices text[],
  OUT present_slots integer[], OUT present_accounts bigint[], OUT present_devices text[], OUT present_registrations bigint[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  size      CONSTANT integer := cardinality(slots);
  roomless  CONSTANT boolean := rooms = '{0}';
  now_      timestamptz;
  now_ms    bigint;
  last_seqs bigint[];
  last_revs bigint[];
  ordinals  bigint[];
  sends     bigint[];
  found_    bigint;
  own       bigint[];
  tried     bigint[];
  tries     integer;
  inserted  integer;
  mine      boolean[];
  kept      boolean[];
  q_slots   integer[];
  q_ids     bigint[];
  q_owners  bigint[];
  q_lasts   bigint[];
  q_gones   bigint[];
  q_louds   bigint[];
  lows      integer[] := array_fill(1, ARRAY[cardinality(rooms)]);
  highs     integer[] := array_fill(0, ARRAY[cardinality(rooms)]);
  present   text[] := array_fill(''::text, ARRAY[cardinality(rooms)]);
  astray    integer[];
  of_slot   record;
  payload_ids bigint[];
  taken     boolean[];
BEGIN
  SELECT array_agg(p.last_seq), array_agg(p.last_rev), array_agg(p.countable), array_agg(p.envelopes), count(*)
    INTO last_seqs, last_revs, ordinals, sends, found_
    FROM (SELECT * FROM room_position p WHERE p.room_id = ANY (rooms) ORDER BY p.room_id FOR NO KEY UPDATE) p;
  now_ := date_trunc('milliseconds', clock_timestamp());
  now_ms := extract(epoch FROM now_) * 1000;
  IF found_ < cardinality(rooms) THEN
    SELECT array_agg(p.last_seq ORDER BY r.i), array_agg(p.last_rev ORDER BY r.i), array_agg(p.countable ORDER BY r.i),
           array_agg(p.envelopes ORDER BY r.i)
      INTO last_seqs, last_revs, ordinals, sends
      FROM unnest(rooms) WITH ORDINALITY AS r (room_id, i)
      LEFT JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = r.room_id OFFSET 0) p ON true;
  END IF;

  SELECT array_agg(n.own ORDER BY n.i), count(*) FILTER (WHERE n.entitled),
         array_agg(CASE WHEN NOT n.entitled THEN NULL WHEN n.silent THEN -now_ms
                        ELSE last_seqs[n.slot] + n.place END ORDER BY n.i)
    INTO own, tries, tried
    FROM (SELECT c.*, count(*) FILTER (WHERE c.entitled AND NOT c.silent) OVER (PARTITION BY c.slot ORDER BY c.i) AS place
            FROM (SELECT d.i, d.slot, d.silent, k.registration_id AS own,
                         k.registration_id IS NOT NULL
                         AND (roomless
                              OR coalesce((SELECT p.sealed AND NOT p.archived AND NOT p.blocked
                                             AND (m.muted_until IS NULL OR m.muted_until <= now_)
                                             AND (p.slow_mode_s = 0 OR d.silent OR m.role <> 'member'
                                                  OR pace_allows(d.i, m.last_sent_at, p.slow_mode_s, now_,
                                                       ARRAY(SELECT rooms[s.slot] FROM unnest(slots) WITH ORDINALITY AS s (slot, i)
                                                              ORDER BY s.i),
                                                       ARRAY(SELECT CASE WHEN NOT s.silent THEN s.sender_id END
                                                               FROM unnest(sender_ids, silents)
                                                                      WITH ORDINALITY AS s (sender_id, silent, i) ORDER BY s.i),
                                                       client_keys))
                                             FROM room_position p
                                             JOIN room_member m ON m.room_id = p.room_id AND m.account_id = d.sender_id
                                            WHERE p.room_id = rooms[d.slot]), false)) AS entitled
                    FROM unnest(slots, sender_ids, device_ids, silents)
                           WITH ORDINALITY AS d (slot, sender_id, device_id, silent, i)
                    LEFT JOIN LATERAL (SELECT k.registration_id FROM device_key k
                                        WHERE k.account_id = d.sender_id AND k.device_id = d.device_id
                                          AND k.removed_at IS NULL OFFSET 0) k ON true OFFSET 0) c) n;

  INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
    SELECT d.sender_id, d.client_key, rooms[d.slot], d.seq, d.content_hash
      FROM unnest(slots, sender_ids, client_keys, content_hashes, tried)
             WITH ORDINALITY AS d (slot, sender_id, client_key, content_hash, seq, i)
     WHERE d.seq IS NOT NULL
     ORDER BY d.sender_id, d.client_key, d.i
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS inserted = ROW_COUNT;
  IF inserted = size THEN
    mine := array_fill(true, ARRAY[size]);
  ELSE
    SELECT array_agg(d.seq IS NOT NULL AND d.first
                     AND (SELECT k.xmin = pg_current_xact_id()::xid FROM send_key k
                           WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key) ORDER BY d.i)
      INTO mine
      FROM (SELECT d.*, row_number() OVER (PARTITION BY d.sender_id, d.client_key, d.seq IS NULL ORDER BY d.i) = 1 AS first
              FROM unnest(sender_ids, client_keys, tried) WITH ORDINALITY AS d (sender_id, client_key, seq, i)) d;
  END IF;
  kept := mine;

  IF inserted > 0 THEN
    IF roomless THEN
      SELECT array_agg(1), coalesce(array_agg(q.registration_id), '{}'), array_agg(q.account_id), array_agg(q.last_seq),
             array_agg(q.gone_seq), array_agg(q.loud_seq)
        INTO q_slots, q_ids, q_owners, q_lasts, q_gones, q_louds
        FROM (SELECT * FROM device_queue q WHERE q.registration_id = ANY (body_registrations) AND NOT q.dormant
               ORDER BY q.registration_id FOR NO KEY UPDATE) q;
      -- Each goes to devices that are the ones which it names, of accounts whose keys its sender may see.
      astray := ARRAY(
        SELECT DISTINCT b.send
          FROM unnest(body_sends, body_registrations, body_accounts, body_devices)
                 AS b (send, registration_id, account_id, device_id)
          LEFT JOIN unnest(q_ids, q_owners) AS q (registration_id, account_id)
                 ON q.registration_id = b.registration_id AND q.account_id = b.account_id
                AND b.device_id = (SELECT k.device_id FROM device_key k WHERE k.registration_id = q.registration_id)
          LEFT JOIN (SELECT s.sender_id, can_see_keys(s.sender_id, body_accounts) AS account_id
                       FROM (SELECT DISTINCT s.sender_id FROM unnest(sender_ids) AS s (sender_id)) s) v
                 ON v.sender_id = sender_ids[b.send] AND v.account_id = b.account_id
         WHERE q.registration_id IS NULL OR v.account_id IS NULL);
      kept := ARRAY(SELECT d.mine AND d.i <> ALL (astray)
                      FROM unnest(mine) WITH ORDINALITY AS d (mine, i) ORDER BY d.i);
      highs[1] := cardinality(q_ids);
    ELSE
      SELECT array_agg(q.slot ORDER BY q.slot, q.registration_id),
             coalesce(array_agg(q.registration_id ORDER BY q.slot, q.registration_id), '{}'),
             array_agg(q.account_id ORDER BY q.slot, q.registration_id), array_agg(q.last_seq ORDER BY q.slot, q.registration_id),
             array_agg(q.gone_seq ORDER BY q.slot, q.registration_id), array_agg(q.loud_seq ORDER BY q.slot, q.registration_id)
        INTO q_slots, q_ids, q_owners, q_lasts, q_gones, q_louds
        FROM (SELECT r.slot::integer AS slot, q.registration_id, q.account_id, q.last_seq, q.gone_seq, q.loud_seq
                FROM unnest(rooms) WITH ORDINALITY AS r (room_id, slot)
                CROSS JOIN LATERAL (SELECT m.account_id FROM room_member m WHERE m.room_id = r.room_id OFFSET 0) m
                JOIN device_queue q ON q.account_id = m.account_id
               WHERE NOT q.dormant
               ORDER BY q.registration_id FOR NO KEY UPDATE OF q) q;
      FOR of_slot IN
        SELECT q.slot, min(q.i) AS low, max(q.i) AS high,
               left(encode(sha256(convert_to(string_agg(q.registration_id::text, ',' ORDER BY q.i), 'UTF8')), 'hex'), 16) AS digest
          FROM unnest(q_slots, q_ids) WITH ORDINALITY AS q (slot, registration_id, i) GROUP BY q.slot
      LOOP
        lows[of_slot.slot] := of_slot.low;
        highs[of_slot.slot] := of_slot.high;
        present[of_slot.slot] := of_slot.digest;
      END LOOP;
      kept := ARRAY(SELECT d.mine AND d.digest = present[d.slot]
                           AND d.own = ANY (q_ids[lows[d.slot]:highs[d.slot]])
                      FROM unnest(mine, slots, digests, own) WITH ORDINALITY AS d (mine, slot, digest, own, i) ORDER BY d.i);
    END IF;
    outcomes := ARRAY(SELECT CASE WHEN NOT d.mine OR d.kept THEN NULL
                                  WHEN NOT roomless AND d.own <> ALL (q_ids[lows[d.slot]:highs[d.slot]]) THEN 'not_open'
                                  ELSE 'device_mismatch' END
                        FROM unnest(mine, kept, slots, own) WITH ORDINALITY AS d (mine, kept, slot, own, i) ORDER BY d.i);

    IF cardinality(bodies) > 0 THEN
      FOR of_slot IN
        SELECT DISTINCT b.send
          FROM unnest(body_sends, body_registrations, body_accounts, body_devices)
                 AS b (send, registration_id, account_id, device_id)
          LEFT JOIN unnest(q_slots, q_ids, q_owners) AS q (slot, registration_id, account_id)
                 ON q.registration_id = b.registration_id AND q.slot = slots[b.send] AND q.account_id = b.account_id
                AND q.registration_id <> own[b.send]
                AND b.device_id = (SELECT k.device_id FROM device_key k WHERE k.registration_id = q.registration_id)
         WHERE kept[b.send] AND q.slot IS NULL
      LOOP
        kept[of_slot.send] := false;
        outcomes[of_slot.send] := 'bad_target';
      END LOOP;
    END IF;
    IF inserted < size AND num_nonnulls(VARIADIC outcomes) > 0 THEN
      outcomes := ARRAY(SELECT CASE WHEN d.mine THEN d.outcome
                                    ELSE (SELECT f.outcome FROM unnest(sender_ids, client_keys, outcomes)
                                                                  AS f (sender_id, client_key, outcome)
                                           WHERE f.sender_id = d.sender_id AND f.client_key = d.client_key
                                             AND f.outcome IS NOT NULL LIMIT 1) END
                          FROM unnest(sender_ids, client_keys, mine, outcomes)
                                 WITH ORDINALITY AS d (sender_id, client_key, mine, outcome, i) ORDER BY d.i);
    END IF;
  END IF;

  -- Where not all stay, those that do are numbered anew.
  seqs := tried;
  IF NOT kept = array_fill(true, ARRAY[size]) THEN
    SELECT array_agg(CASE WHEN n.kept THEN CASE WHEN n.silent THEN -now_ms ELSE last_seqs[n.slot] + n.place END END ORDER BY n.i)
      INTO seqs
      FROM (SELECT d.*, count(*) FILTER (WHERE d.kept AND NOT d.silent) OVER (PARTITION BY d.slot ORDER BY d.i) AS place
              FROM unnest(slots, silents, kept) WITH ORDINALITY AS d (slot, silent, kept, i)) n;
    DELETE FROM send_key k USING unnest(sender_ids, client_keys, mine, kept) AS d (sender_id, client_key, mine, kept)
     WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key AND d.mine AND NOT d.kept;
    UPDATE send_key k SET seq = d.seq
      FROM unnest(sender_ids, client_keys, tried, seqs, kept) AS d (sender_id, client_key, tried, seq, kept)
     WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key AND d.kept AND d.seq <> d.tried;
  END IF;

  IF true = ANY (kept) THEN
    INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type)
      SELECT rooms[d.slot], d.seq, last_revs[d.slot] + d.seq - last_seqs[d.slot], ordinals[d.slot] + d.seq - last_seqs[d.slot],
             d.sender_id, now_, d.client_id, 'sealed'
        FROM unnest(slots, seqs, sender_ids, client_ids) AS d (slot, seq, sender_id, client_id)
       WHERE d.seq > 0;
    SELECT array_agg(CASE WHEN d.kept THEN nextval('envelope_payload_number') END ORDER BY d.i),
           array_agg(CASE WHEN d.kept THEN sends[d.slot] + d.place END ORDER BY d.i),
           array_agg(CASE WHEN d.kept AND d.lasts IS NOT NULL THEN now_ms + least(1000 * d.lasts, kept_ms) END ORDER BY d.i)
      INTO payload_ids, numbers, until
      FROM (SELECT d.*, count(*) FILTER (WHERE d.kept) OVER (PARTITION BY d.slot ORDER BY d.i) AS place,
                   coalesce(d.lasting, (SELECT r.expires_in_s FROM room r WHERE r.room_id = rooms[d.slot]))::bigint AS lasts
              FROM unnest(slots, kept, lastings) WITH ORDINALITY AS d (slot, kept, lasting, i)) d;

    -- To which queues each goes, and under which numbers; what a queue takes no more comes last in it.
    SELECT array_agg(t.i), array_agg(t.registration_id), array_agg(t.seq), array_agg(t.first), array_agg(t.owner),
           array_agg(t.seq - t.gone <= most_)
      INTO target_sends, target_registrations, target_seqs, target_firsts, target_accounts, taken
      FROM (SELECT d.i::integer AS i, q_ids[g.j] AS registration_id, q_owners[g.j] AS owner, q_gones[g.j] AS gone,
                   q_lasts[g.j] + row_number() OVER before AS seq,
                   NOT d.silent AND q_louds[g.j] <= q_gones[g.j] AND count(*) FILTER (WHERE NOT d.silent) OVER before = 1 AS first
              FROM unnest(slots, kept, silents, payloads, own) WITH ORDINALITY AS d (slot, kept, silent, payload, own, i)
              CROSS JOIN LATERAL generate_series(lows[d.slot], highs[d.slot]) AS g (j)
             WHERE d.kept AND q_ids[g.j] <> d.own
               AND (d.payload IS NOT NULL OR NOT d.silent
                    OR EXISTS (SELECT FROM unnest(body_sends, body_registrations) AS b (send, registration_id)
                                WHERE b.send = d.i AND b.registration_id = q_ids[g.j]))
            WINDOW before AS (PARTITION BY q_ids[g.j] ORDER BY d.i)
             ORDER BY 1, 2) t;

    IF false = ANY (taken) THEN
      SELECT array_agg(d.i ORDER BY d.place), array_agg(d.owner ORDER BY d.place),
             array_agg((SELECT k.device_id FROM device_key k WHERE k.registration_id = d.registration_id) ORDER BY d.place)
        INTO full_sends, full_accounts, full_devices
        FROM unnest(target_sends, target_accounts, target_registrations, taken)
               WITH ORDINALITY AS d (i, owner, registration_id, taken, place)
       WHERE NOT d.taken;
      INSERT INTO delivery_failure (room_id, seq, account_id, reason, failed_at)
        SELECT rooms[slots[d.i]], seqs[d.i], d.owner, 'full', now_
          FROM unnest(target_sends, target_accounts, taken) AS d (i, owner, taken)
         WHERE seqs[d.i] > 0 AND d.owner <> sender_ids[d.i]
         GROUP BY d.i, d.owner HAVING NOT bool_or(d.taken);
      SELECT array_agg(d.i ORDER BY d.place), array_agg(d.registration_id ORDER BY d.place), array_agg(d.seq ORDER BY d.place),
             array_agg(d.first ORDER BY d.place), array_agg(d.owner ORDER BY d.place)
        INTO target_sends, target_registrations, target_seqs, target_firsts, target_accounts
        FROM unnest(target_sends, target_registrations, target_seqs, target_firsts, target_accounts, taken)
               WITH ORDINALITY AS d (i, registration_id, seq, first, owner, taken, place)
       WHERE d.taken;
    END IF;

    INSERT INTO envelope_payload (payload_id, room_id, room_seq, sender_id, sender_device_id, client_id, ts, due_at, timed, payload)
      SELECT payload_ids[d.i], nullif(rooms[d.slot], 0), CASE WHEN d.seq > 0 THEN d.seq END, d.sender_id, d.device_id,
             d.client_id, now_, now_ + least(kept_ms, d.until - now_ms) * interval '1 ms', d.until IS NOT NULL, d.payload
        FROM unnest(slots, seqs, sender_ids, device_ids, client_ids, until, payloads)
               WITH ORDINALITY AS d (slot, seq, sender_id, device_id, client_id, until, payload, i)
       WHERE d.i IN (SELECT t.i FROM unnest(target_sends) AS t (i));
    IF cardinality(bodies) > 0 THEN
      INSERT INTO envelope (registration_id, seq, payload_id, body)
        SELECT d.registration_id, d.seq, payload_ids[d.i], b.body
          FROM unnest(target_sends, target_registrations, target_seqs) AS d (i, registration_id, seq)
          LEFT JOIN unnest(body_sends, body_registrations, bodies) AS b (i, registration_id, body) USING (i, registration_id);
    ELSE
      INSERT INTO envelope (registration_id, seq, payload_id)
        SELECT d.registration_id, d.seq, payload_ids[d.i]
          FROM unnest(target_sends, target_registrations, target_seqs) AS d (i, registration_id, seq);
    END IF;
    UPDATE device_queue q
       SET last_seq = d.seq, loud_seq = coalesce(d.loud, q.loud_seq),
           waits_since = CASE WHEN q.last_seq = q.gone_seq THEN now_ ELSE q.waits_since END
      FROM (SELECT t.registration_id, max(t.seq) AS seq, max(t.seq) FILTER (WHERE NOT silents[t.i]) AS loud
              FROM unnest(target_sends, target_registrations, target_seqs) AS t (i, registration_id, seq)
             GROUP BY t.registration_id OFFSET 0) d
      CROSS JOIN LATERAL (SELECT k.ctid FROM device_queue k WHERE k.registration_id = d.registration_id LIMIT 1) k
     WHERE q.ctid = k.ctid;

    IF NOT roomless THEN
      -- Before it is said how long others of the group have to wait.
      PERFORM remember_sends(now_, ARRAY(SELECT rooms[d.slot] FROM unnest(slots) WITH ORDINALITY AS d (slot, i) ORDER BY d.i),
                             sender_ids,
                             ARRAY(SELECT CASE WHEN d.seq > 0 THEN d.seq END
                                     FROM unnest(seqs) WITH ORDINALITY AS d (seq, i) ORDER BY d.i));
      UPDATE room_position p
         SET last_seq = p.last_seq + d.n, last_rev = p.last_rev + d.n, countable = p.countable + d.n,
             envelopes = p.envelopes + d.sends
        FROM (SELECT rooms[s.slot] AS room_id, count(*) FILTER (WHERE s.seq > 0) AS n, count(*) AS sends
                FROM unnest(slots, seqs) AS s (slot, seq) WHERE s.seq IS NOT NULL GROUP BY s.slot) d
       WHERE p.room_id = d.room_id;
    END IF;
  END IF;

  IF 'device_mismatch' = ANY (outcomes) AND NOT roomless THEN
    SELECT array_agg(q.slot), array_agg(k.account_id), array_agg(k.device_id), array_agg(k.registration_id)
      INTO present_slots, present_accounts, present_devices, present_registrations
      FROM unnest(q_slots, q_ids) AS q (slot, registration_id)
      CROSS JOIN LATERAL (SELECT * FROM device_key k WHERE k.registration_id = q.registration_id LIMIT 1) k
     WHERE q.slot = ANY (ARRAY(SELECT slots[d.i] FROM unnest(outcomes) WITH ORDINALITY AS d (outcome, i)
                                WHERE d.outcome = 'device_mismatch'));
  END IF;

  SELECT array_agg(a.outcome ORDER BY a.i), array_agg(nullif(greatest(a.seq, 0), 0) ORDER BY a.i),
         array_agg(a.rev ORDER BY a.i), array_agg(a.ms ORDER BY a.i),
         array_agg(CASE WHEN a.outcome IN ('muted', 'slow_mode')
                     THEN silence_ms(rooms[a.slot], a.sender_id, now_) END ORDER BY a.i)
    INTO outcomes, seqs, revs, times, waits
    FROM (SELECT d.i, d.slot, d.sender_id, coalesce(d.seq, k.seq) AS seq,
                 CASE WHEN d.seq IS NOT NULL THEN 'stored'
                      WHEN d.outcome IS NOT NULL THEN d.outcome
                      WHEN k.seq IS NULL THEN envelope_refused(rooms[d.slot], d.sender_id, d.own, now_)
                      WHEN k.room_id = rooms[d.slot] AND k.content_hash = d.content_hash AND k.rev IS NULL THEN 'duplicate'
                      ELSE 'mismatch' END AS outcome,
                 CASE WHEN d.seq > 0 THEN last_revs[d.slot] + d.seq - last_seqs[d.slot] ELSE s.rev END AS rev,
                 CASE WHEN d.seq IS NOT NULL THEN now_ms WHEN k.seq < 0 THEN -k.seq ELSE s.ms END AS ms
            FROM unnest(slots, sender_ids, client_keys, content_hashes, seqs, own, outcomes)
                   WITH ORDINALITY AS d (slot, sender_id, client_key, content_hash, seq, own, outcome, i)
            LEFT JOIN LATERAL (SELECT * FROM send_key k
                                WHERE d.seq IS NULL AND k.sender_id = d.sender_id AND k.client_key = d.client_key
                                OFFSET 0) k ON true
            LEFT JOIN LATERAL (SELECT m.rev, (extract(epoch FROM m.ts) * 1000)::bigint AS ms FROM message m
                                WHERE m.room_id = k.room_id AND m.seq = k.seq OFFSET 0) s ON true
           OFFSET 0) a;
END $$;
