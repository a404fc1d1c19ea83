-- What waits in queues behind a number of each, in order: so many envelopes of a queue, and no more than reach so many bytes.
-- What is due and was not ended yet is not told: the page of its queue ends there, with its number alone and due.
CREATE OR REPLACE FUNCTION read_queues(registrations_ bigint[], afters_ bigint[], most_ bigint, most_bytes_ bigint)
RETURNS TABLE (place bigint, seq bigint, due boolean, payload_id bigint, body text, room_id bigint, room_seq bigint,
               sender_id bigint, sender_device_id text, client_id text, ms bigint, expires_ms bigint, payload text)
LANGUAGE sql STABLE AS $$
  SELECT d.place, x.seq, x.due, x.payload_id, CASE WHEN NOT x.due THEN x.body END, x.room_id, x.room_seq, x.sender_id,
         x.sender_device_id, x.client_id, (extract(epoch FROM x.ts) * 1000)::bigint,
         CASE WHEN x.timed THEN (extract(epoch FROM x.due_at) * 1000)::bigint END, CASE WHEN NOT x.due THEN x.payload END
    FROM unnest(registrations_, afters_) WITH ORDINALITY AS d (registration_id, after, place)
    CROSS JOIN LATERAL (
      SELECT e.seq, e.body, p.*, coalesce(p.due_at <= clock_timestamp(), false) AS due,
             bool_or(p.due_at <= clock_timestamp()) OVER before AS stops,
             sum(coalesce(octet_length(e.body), 0) + coalesce(octet_length(p.payload), 0)) OVER before AS bytes_before
        FROM (SELECT * FROM envelope e WHERE e.registration_id = d.registration_id AND e.seq > d.after
               ORDER BY e.seq LIMIT most_) e
        LEFT JOIN LATERAL (SELECT * FROM envelope_payload p WHERE p.payload_id = e.payload_id LIMIT 1) p ON true
      WINDOW before AS (ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) x
   WHERE NOT coalesce(x.stops, false) AND coalesce(x.bytes_before, 0) < most_bytes_
   ORDER BY d.place, x.seq
$$;
