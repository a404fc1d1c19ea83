-- Takes out of queues what waits there, each from its head on, so much at most, and answers how much. The queues stay and go on
-- behind their last numbers. The caller holds all queues of their accounts.
CREATE OR REPLACE FUNCTION empty_queues(registrations_ bigint[], reason_ text, most_ bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  taken_    bigint;
  payloads_ bigint[];
  accounts_ bigint[];
BEGIN
  WITH head AS MATERIALIZED (
    SELECT h.place, h.registration_id, h.account_id, h.gone_seq, least(h.last_seq, h.gone_seq + most_ - h.before) AS upto
      FROM (SELECT q.ctid AS place, q.*,
                   coalesce(sum(q.last_seq - q.gone_seq) OVER before, 0)::bigint AS before
              FROM device_queue q WHERE q.registration_id = ANY (registrations_)
            WINDOW before AS (ORDER BY q.registration_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) h
     WHERE h.before < most_ AND h.gone_seq < h.last_seq),
  gone AS (
    DELETE FROM envelope e USING head h
     WHERE e.registration_id = h.registration_id AND e.seq > h.gone_seq AND e.seq <= h.upto
    RETURNING h.account_id, e.payload_id),
  raised AS (
    UPDATE device_queue q SET gone_seq = h.upto, woken_until = '-infinity' FROM head h WHERE q.ctid = h.place)
  SELECT (SELECT sum(h.upto - h.gone_seq) FROM head h), array_agg(d.payload_id), array_agg(d.account_id)
    INTO taken_, payloads_, accounts_
    FROM (SELECT DISTINCT g.payload_id, g.account_id FROM gone g WHERE g.payload_id IS NOT NULL) d;
  PERFORM fail_envelopes(payloads_, accounts_, reason_);
  RETURN coalesce(taken_, 0);
END $$;
