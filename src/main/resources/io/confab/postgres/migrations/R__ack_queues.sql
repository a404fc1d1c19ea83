-- Devices acknowledge what they were given, each up to a number of an epoch (null: of any); each registration once. What was
-- acknowledged before, what a queue does not have and what is of another epoch changes nothing. Answers a row for each queue, or
-- one for each run of messages of a room that is acknowledged by this: of all from from_seq to to_seq, but those of the account
-- itself. busy: somebody else has locked the queue, and unless waits_ nothing of it is acknowledged.
--
-- A run goes on behind the last one of its device in the room if in between lie messages of the account itself alone, or
-- nothing; a thousand of them are looked at.
CREATE OR REPLACE FUNCTION ack_queues(registrations_ bigint[], uptos_ bigint[], epochs_ bigint[] DEFAULT NULL,
                                      waits_ boolean DEFAULT true)
RETURNS TABLE (registration_id bigint, account_id bigint, gone_seq bigint, last_seq bigint,
               room_id bigint, from_seq bigint, to_seq bigint, busy boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  locked_    bigint[];
  device_ids bigint[];
  owners     bigint[];
  room_ids   bigint[];
  seqs       bigint[];
  run_devices bigint[];
  run_owners  bigint[];
  run_rooms   bigint[];
  run_froms   bigint[];
  run_tos     bigint[];
  run_spans   bigint[];
BEGIN
  IF waits_ THEN
    locked_ := ARRAY(SELECT q.registration_id FROM device_queue q WHERE q.registration_id = ANY (registrations_)
                      ORDER BY q.registration_id FOR NO KEY UPDATE);
  ELSE
    locked_ := ARRAY(SELECT q.registration_id FROM device_queue q WHERE q.registration_id = ANY (registrations_)
                      ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED);
  END IF;

  WITH asked AS MATERIALIZED (
    SELECT q.place, q.registration_id, q.account_id, q.gone_seq, least(d.upto, q.last_seq) AS upto
      FROM unnest(registrations_, uptos_, epochs_) AS d (registration_id, upto, epoch)
      CROSS JOIN LATERAL (SELECT q.ctid AS place, q.* FROM device_queue q WHERE q.registration_id = d.registration_id
                           AND NOT q.ended LIMIT 1) q
     WHERE d.upto > q.gone_seq AND d.registration_id = ANY (locked_)
       AND (d.epoch IS NULL OR d.epoch = (SELECT i.epoch FROM instance i))),
  gone AS (
    DELETE FROM envelope e USING asked a
     WHERE e.registration_id = a.registration_id AND e.seq > a.gone_seq AND e.seq <= a.upto
    RETURNING e.registration_id, a.account_id, e.payload_id),
  raised AS (
    UPDATE device_queue q
       SET gone_seq = a.upto, woken_until = CASE WHEN a.upto < q.loud_seq THEN q.woken_until ELSE '-infinity' END,
           waits_since = clock_timestamp()
      FROM asked a WHERE q.ctid = a.place AND a.upto > a.gone_seq)
  SELECT array_agg(g.registration_id ORDER BY g.registration_id, p.room_id, p.room_seq),
         array_agg(g.account_id ORDER BY g.registration_id, p.room_id, p.room_seq),
         array_agg(p.room_id ORDER BY g.registration_id, p.room_id, p.room_seq),
         array_agg(p.room_seq ORDER BY g.registration_id, p.room_id, p.room_seq)
    INTO device_ids, owners, room_ids, seqs
    FROM gone g
    CROSS JOIN LATERAL (SELECT * FROM envelope_payload p WHERE p.payload_id = g.payload_id LIMIT 1) p
   WHERE p.room_seq IS NOT NULL AND p.sender_id <> g.account_id;

  IF device_ids IS NOT NULL THEN
    SELECT array_agg(r.registration_id), array_agg(r.account_id), array_agg(r.room_id),
           array_agg(r.from_seq), array_agg(r.to_seq), array_agg(r.span)
      INTO run_devices, run_owners, run_rooms, run_froms, run_tos, run_spans
      FROM (
        SELECT b.registration_id, b.account_id, b.room_id, b.run, min(b.seq) AS from_seq, max(b.seq) AS to_seq,
               min(b.span) FILTER (WHERE b.run = 0) AS span
          FROM (
            SELECT i.*, count(*) FILTER (WHERE i.breaks) OVER w AS run
              FROM (
                SELECT f.*,
                       CASE WHEN f.before IS NULL THEN true
                            WHEN f.seq = f.before + 1 THEN false
                            WHEN f.seq - f.before > 1000 THEN true
                            ELSE EXISTS (SELECT FROM message m
                                          WHERE m.room_id = f.room_id AND m.seq > f.before AND m.seq < f.seq
                                            AND m.sender_id <> f.account_id) END AS breaks
                  FROM (
                    SELECT d.*, s.from_seq AS span, coalesce(lag(d.seq) OVER v, s.to_seq) AS before
                      FROM unnest(device_ids, owners, room_ids, seqs) AS d (registration_id, account_id, room_id, seq)
                      LEFT JOIN LATERAL (SELECT s.from_seq, s.to_seq FROM delivery_span s
                                          WHERE s.room_id = d.room_id AND s.account_id = d.account_id
                                            AND s.registration_id = d.registration_id
                                          ORDER BY s.from_seq DESC LIMIT 1) s ON true
                    WINDOW v AS (PARTITION BY d.registration_id, d.room_id ORDER BY d.seq)) f) i
            WINDOW w AS (PARTITION BY i.registration_id, i.room_id ORDER BY i.seq)) b
         GROUP BY b.registration_id, b.account_id, b.room_id, b.run) r;

    UPDATE delivery_span s SET to_seq = d.to_seq
      FROM unnest(run_devices, run_owners, run_rooms, run_spans, run_tos)
             AS d (registration_id, account_id, room_id, span, to_seq)
      CROSS JOIN LATERAL (SELECT k.ctid FROM delivery_span k
                           WHERE k.room_id = d.room_id AND k.account_id = d.account_id
                             AND k.registration_id = d.registration_id AND k.from_seq = d.span LIMIT 1) k
     WHERE s.ctid = k.ctid;
    INSERT INTO delivery_span (room_id, account_id, registration_id, from_seq, to_seq)
      SELECT d.room_id, d.account_id, d.registration_id, d.from_seq, d.to_seq
        FROM unnest(run_devices, run_owners, run_rooms, run_froms, run_tos, run_spans)
               AS d (registration_id, account_id, room_id, from_seq, to_seq, span)
       WHERE d.span IS NULL;
  END IF;

  RETURN QUERY
    SELECT q.registration_id, q.account_id, q.gone_seq, q.last_seq, r.room_id, r.from_seq, r.to_seq,
           q.registration_id <> ALL (locked_)
      FROM unnest(registrations_) AS d (registration_id)
      CROSS JOIN LATERAL (SELECT * FROM device_queue q WHERE q.registration_id = d.registration_id AND NOT q.ended LIMIT 1) q
      LEFT JOIN unnest(run_devices, run_rooms, run_froms, run_tos)
             AS r (registration_id, room_id, from_seq, to_seq) ON r.registration_id = q.registration_id;
END $$;
