-- Which of these queues still wait for what was put in under a number, and were not woken since something else than silent
-- sends waits in them: each of them is woken by this once. Without an account: somebody else has locked it, to be asked again.
CREATE OR REPLACE FUNCTION wake_queues(registrations_ bigint[], seqs_ bigint[])
RETURNS TABLE (registration_id bigint, account_id bigint, device_id text)
LANGUAGE sql VOLATILE AS $$
  WITH locked AS MATERIALIZED (
    SELECT q.registration_id, q.gone_seq, q.loud_seq FROM device_queue q
     WHERE q.registration_id = ANY (registrations_) AND NOT q.woken AND NOT q.dormant
     ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED),
  due AS (
    SELECT DISTINCT l.registration_id FROM locked l
      JOIN unnest(registrations_, seqs_) AS d (registration_id, seq) USING (registration_id) WHERE l.gone_seq < least(d.seq, l.loud_seq)),
  woken AS (
    UPDATE device_queue q SET woken = true FROM due d WHERE q.registration_id = d.registration_id
    RETURNING q.registration_id, q.account_id)
  SELECT w.registration_id, w.account_id, k.device_id FROM woken w JOIN device_key k USING (registration_id)
  UNION ALL
  SELECT DISTINCT q.registration_id, NULL::bigint, NULL
    FROM unnest(registrations_, seqs_) AS d (registration_id, seq) JOIN device_queue q USING (registration_id)
   WHERE q.gone_seq < least(d.seq, q.loud_seq) AND NOT (q.woken OR q.dormant)
     AND q.registration_id NOT IN (SELECT l.registration_id FROM locked l)
$$;
