-- Which of these queues wait, not for silent sends alone, for so long since they began to or something of them was acknowledged,
-- and whose devices were not woken for that. Whoever gets one is to wake it now, and says so by the next call; for as long as
-- that may take nobody else gets it.
--   told_, untils_  those that were woken, with what was answered for them: they are not woken again before all is acknowledged
--   woken_until     null: to be asked for again, after left_ms. It has not waited for so long, somebody else wakes it, or has
--                   locked it (0); one of told_, too, that is locked
CREATE OR REPLACE FUNCTION wake_queues(registrations_ bigint[], waited_ms bigint, told_ bigint[], untils_ timestamptz[])
RETURNS TABLE (registration_id bigint, account_id bigint, device_id text, woken_until timestamptz, left_ms bigint)
LANGUAGE sql VOLATILE AS $$
  WITH locked AS MATERIALIZED (
    SELECT q.registration_id, q.woken_until, q.waits_since FROM device_queue q
     WHERE q.registration_id = ANY (registrations_ || told_) AND q.woken_until < 'infinity' AND q.gone_seq < q.loud_seq AND NOT q.dormant
     ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED),
  due AS MATERIALIZED (
    SELECT l.registration_id, t.until IS NOT NULL AS told, l.registration_id = ANY (registrations_) AS asked,
           greatest(l.woken_until, l.waits_since + waited_ms * interval '1 ms') - clock_timestamp() AS rest
      FROM locked l
      LEFT JOIN unnest(told_, untils_) AS t (registration_id, until)
             ON t.registration_id = l.registration_id AND t.until = l.woken_until),
  woken AS (
    UPDATE device_queue q
       SET woken_until = CASE WHEN d.told THEN 'infinity' ELSE clock_timestamp() + interval '5 s' END
      FROM due d WHERE q.registration_id = d.registration_id AND (d.told OR d.asked AND d.rest <= interval '0')
    RETURNING q.registration_id, q.account_id, q.woken_until)
  SELECT w.registration_id, w.account_id, k.device_id, w.woken_until, NULL::bigint
    FROM woken w JOIN device_key k USING (registration_id) WHERE w.woken_until < 'infinity'
  UNION ALL
  SELECT d.registration_id, NULL, NULL, NULL, ceil(1000 * extract(epoch FROM d.rest))::bigint
    FROM due d WHERE d.asked AND NOT d.told AND d.rest > interval '0'
  UNION ALL
  SELECT DISTINCT q.registration_id, NULL::bigint, NULL, NULL::timestamptz, 0::bigint
    FROM unnest(registrations_ || told_) AS d (registration_id) JOIN device_queue q USING (registration_id)
   WHERE q.woken_until < 'infinity' AND q.gone_seq < q.loud_seq AND NOT q.dormant
     AND q.registration_id NOT IN (SELECT l.registration_id FROM locked l)
$$;
