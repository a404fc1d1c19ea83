-- Devices acknowledge what they were given, each up to a number of an epoch (null: of any); each registration once. What was
-- acknowledged before, what a queue does not have and what is of another epoch changes nothing. Answers a row for each queue, or
-- one for each run of messages of a room that is acknowledged by this: of all from from_seq to to_seq, but those of the account
-- itself. busy: somebody else has locked the queue, and unless waits_ nothing of it is acknowledged. epoch: the one that is now.
--
-- Where a run breaks says breaks_run. What one device acknowledges of one room is a single run, unless numbers are missing.
-- Payloads and spans are looked up once for each of them, not for each envelope. Rows of queues are changed by where they were
-- when they were locked: nobody moves them.
CREATE OR REPLACE FUNCTION ack_queues(registrations_ bigint[], uptos_ bigint[], epochs_ bigint[] DEFAULT NULL,
                                      waits_ boolean DEFAULT true)
RETURNS TABLE (registration_id bigint, account_id bigint, gone_seq bigint, last_seq bigint,
               room_id bigint, from_seq bigint, to_seq bigint, busy boolean, epoch bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  ids    bigint[];
  owners bigint[];
  places tid[];
  gones  bigint[];
  lasts  bigint[];
  tops   bigint[];
  wanted bigint[];
  now_   bigint;
  run_devices bigint[];
  run_owners  bigint[];
  run_rooms   bigint[];
  run_froms   bigint[];
  run_tos     bigint[];
  run_places  tid[];
  run_seqs    text[];
BEGIN
  IF waits_ THEN
    SELECT array_agg(q.registration_id), array_agg(q.account_id), array_agg(q.place), array_agg(q.gone_seq), array_agg(q.last_seq),
           array_agg(least(d.upto, q.last_seq)), array_agg(d.epoch)
      INTO ids, owners, places, gones, lasts, tops, wanted
      FROM (SELECT q.ctid AS place, q.* FROM device_queue q WHERE q.registration_id = ANY (registrations_) AND NOT q.ended
             ORDER BY q.registration_id FOR NO KEY UPDATE) q
      JOIN unnest(registrations_, uptos_, epochs_) AS d (registration_id, upto, epoch) USING (registration_id);
  ELSE
    SELECT array_agg(q.registration_id), array_agg(q.account_id), array_agg(q.place), array_agg(q.gone_seq), array_agg(q.last_seq),
           array_agg(least(d.upto, q.last_seq)), array_agg(d.epoch)
      INTO ids, owners, places, gones, lasts, tops, wanted
      FROM (SELECT q.ctid AS place, q.* FROM device_queue q WHERE q.registration_id = ANY (registrations_) AND NOT q.ended
             ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED) q
      JOIN unnest(registrations_, uptos_, epochs_) AS d (registration_id, upto, epoch) USING (registration_id);
  END IF;
  -- The epoch as it is under the locks: who held them before may have raised it, and given out the same numbers anew.
  SELECT i.epoch, ARRAY(SELECT CASE WHEN d.epoch IS NULL OR d.epoch = i.epoch THEN d.top END
                          FROM unnest(tops, wanted) WITH ORDINALITY AS d (top, epoch, place) ORDER BY d.place)
    INTO now_, tops
    FROM instance i;

  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(ids, owners, places, gones, tops) AS d (registration_id, account_id, place, gone_seq, upto)
     WHERE d.upto > d.gone_seq),
  found AS MATERIALIZED (
    SELECT a.registration_id, a.account_id, e.place, e.payload_id
      FROM asked a
      CROSS JOIN LATERAL (SELECT e.ctid AS place, e.payload_id FROM envelope e
                           WHERE e.registration_id = a.registration_id AND e.seq > a.gone_seq AND e.seq <= a.upto OFFSET 0) e),
  gone AS (
    DELETE FROM envelope e WHERE e.ctid = ANY (ARRAY(SELECT f.place FROM found f))),
  raised AS (
    UPDATE device_queue q
       SET gone_seq = a.upto, woken_until = CASE WHEN a.upto < q.loud_seq THEN q.woken_until ELSE '-infinity' END,
           waits_since = clock_timestamp()
      FROM asked a WHERE q.ctid = a.place),
  got AS (
    SELECT u.registration_id, u.account_id, p.room_id, min(p.room_seq) AS from_seq, max(p.room_seq) AS to_seq,
           array_agg(p.room_seq) AS seqs
      FROM (SELECT f.payload_id, array_agg(f.registration_id) AS registrations, array_agg(f.account_id) AS accounts
              FROM found f GROUP BY f.payload_id) f
      CROSS JOIN LATERAL (SELECT * FROM envelope_payload p WHERE p.payload_id = f.payload_id LIMIT 1) p
      CROSS JOIN LATERAL unnest(f.registrations, f.accounts) AS u (registration_id, account_id)
     WHERE p.room_seq IS NOT NULL AND u.account_id <> p.sender_id
     GROUP BY u.registration_id, u.account_id, p.room_id),
  run AS MATERIALIZED (
    SELECT g.*, CASE WHEN s.to_seq + 1 = g.from_seq OR NOT breaks_run(g.room_id, g.account_id, s.to_seq, g.from_seq)
                  THEN s.place END AS place,
           CASE WHEN g.to_seq - g.from_seq + 1 <> cardinality(g.seqs) THEN g.seqs::text END AS apart
      FROM got g
      LEFT JOIN LATERAL (SELECT s.ctid AS place, s.to_seq FROM delivery_span s
                          WHERE s.room_id = g.room_id AND s.account_id = g.account_id AND s.registration_id = g.registration_id
                          ORDER BY s.from_seq DESC LIMIT 1) s ON true),
  grown AS (
    UPDATE delivery_span s SET to_seq = r.to_seq FROM run r WHERE s.ctid = r.place AND r.apart IS NULL)
  SELECT array_agg(r.registration_id), array_agg(r.account_id), array_agg(r.room_id), array_agg(r.from_seq), array_agg(r.to_seq),
         array_agg(r.place), array_agg(r.apart)
    INTO run_devices, run_owners, run_rooms, run_froms, run_tos, run_places, run_seqs
    FROM run r;

  IF num_nonnulls(VARIADIC run_seqs) > 0 THEN
    WITH part AS MATERIALIZED (
      SELECT r.registration_id, r.account_id, r.room_id, min(r.seq) AS from_seq, max(r.seq) AS to_seq,
             CASE WHEN r.run = 0 THEN r.place END AS place
        FROM (SELECT b.*, count(*) FILTER (WHERE b.breaks) OVER w AS run
                FROM (SELECT d.*, u.seq,
                             CASE WHEN u.seq = d.from_seq THEN d.place IS NULL
                                  ELSE u.seq <> lag(u.seq) OVER v + 1
                                       AND breaks_run(d.room_id, d.account_id, lag(u.seq) OVER v, u.seq) END AS breaks
                        FROM unnest(run_devices, run_owners, run_rooms, run_froms, run_places, run_seqs)
                               AS d (registration_id, account_id, room_id, from_seq, place, seqs)
                        CROSS JOIN LATERAL unnest(d.seqs::bigint[]) AS u (seq)
                      WINDOW v AS (PARTITION BY d.registration_id, d.room_id ORDER BY u.seq)) b
              WINDOW w AS (PARTITION BY b.registration_id, b.room_id ORDER BY b.seq)) r
       GROUP BY r.registration_id, r.account_id, r.room_id, r.place, r.run),
    grown AS (
      UPDATE delivery_span s SET to_seq = p.to_seq FROM part p WHERE s.ctid = p.place)
    SELECT array_agg(r.registration_id), array_agg(r.account_id), array_agg(r.room_id), array_agg(r.from_seq), array_agg(r.to_seq),
           array_agg(r.place)
      INTO run_devices, run_owners, run_rooms, run_froms, run_tos, run_places
      FROM (SELECT p.* FROM part p
            UNION ALL
            SELECT d.registration_id, d.account_id, d.room_id, d.from_seq, d.to_seq, d.place
              FROM unnest(run_devices, run_owners, run_rooms, run_froms, run_tos, run_places, run_seqs)
                     AS d (registration_id, account_id, room_id, from_seq, to_seq, place, seqs)
             WHERE d.seqs IS NULL) r;
  END IF;
  IF num_nulls(VARIADIC run_places) > 0 THEN
    INSERT INTO delivery_span (room_id, account_id, registration_id, from_seq, to_seq)
      SELECT r.room_id, r.account_id, r.registration_id, r.from_seq, r.to_seq
        FROM unnest(run_devices, run_owners, run_rooms, run_froms, run_tos, run_places)
               AS r (registration_id, account_id, room_id, from_seq, to_seq, place)
       WHERE r.place IS NULL;
  END IF;

  RETURN QUERY
    SELECT q.registration_id, q.account_id, greatest(q.gone_seq, q.upto), q.last_seq, r.room_id, r.from_seq, r.to_seq, false, now_
      FROM unnest(ids, owners, gones, lasts, tops) AS q (registration_id, account_id, gone_seq, last_seq, upto)
      LEFT JOIN unnest(run_devices, run_rooms, run_froms, run_tos) AS r (registration_id, room_id, from_seq, to_seq)
             USING (registration_id);
  IF cardinality(registrations_) > coalesce(cardinality(ids), 0) THEN
    RETURN QUERY
      SELECT q.registration_id, q.account_id, q.gone_seq, q.last_seq, NULL::bigint, NULL::bigint, NULL::bigint, true, now_
        FROM unnest(registrations_) AS d (registration_id)
        CROSS JOIN LATERAL (SELECT * FROM device_queue q WHERE q.registration_id = d.registration_id AND NOT q.ended LIMIT 1) q
       WHERE q.registration_id <> ALL (coalesce(ids, '{}'));
  END IF;
END $$;
