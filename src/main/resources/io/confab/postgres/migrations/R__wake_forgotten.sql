-- The same for queues that have waited for so long, not for silent sends alone, of which whoever should have asked has not: so
-- many at most.
CREATE OR REPLACE FUNCTION wake_forgotten(waited_ms bigint, most_ bigint)
RETURNS TABLE (registration_id bigint, account_id bigint, device_id text)
LANGUAGE sql VOLATILE AS $$
  WITH locked AS MATERIALIZED (
    SELECT q.registration_id FROM device_queue q
     WHERE q.gone_seq < q.loud_seq AND NOT q.woken AND NOT q.dormant
       AND q.waits_since <= clock_timestamp() - waited_ms * interval '1 ms'
     ORDER BY q.registration_id LIMIT most_ FOR NO KEY UPDATE SKIP LOCKED),
  woken AS (
    UPDATE device_queue q SET woken = true FROM locked l WHERE q.registration_id = l.registration_id
    RETURNING q.registration_id, q.account_id)
  SELECT w.registration_id, w.account_id, k.device_id FROM woken w JOIN device_key k USING (registration_id)
$$;
