-- Devices come for what waits for them, each of them once: the place of a device among those asked for, its registration, what
-- it has acknowledged and what there is, its one-time keys that are left and whether its fallback key was used. Devices
-- without keys are left out.
--   away  it is dormant, or has left something unacknowledged for a while: return_queues has it back
CREATE OR REPLACE FUNCTION open_queues(accounts_ bigint[], devices_ text[])
RETURNS TABLE (place bigint, registration_id bigint, gone_seq bigint, last_seq bigint, one_time_keys bigint,
               fallback_used boolean, away boolean)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT d.place, q.registration_id, q.gone_seq, q.last_seq,
           (SELECT count(*) FROM one_time_key o WHERE o.registration_id = k.registration_id), k.fallback_used,
           q.dormant OR q.gone_seq < q.last_seq AND q.waits_since <= clock_timestamp() - interval '1 min'
      FROM unnest(accounts_, devices_) WITH ORDINALITY AS d (account_id, device_id, place)
      CROSS JOIN LATERAL (SELECT * FROM device_key k
                           WHERE k.account_id = d.account_id AND k.device_id = d.device_id AND k.removed_at IS NULL LIMIT 1) k
      CROSS JOIN LATERAL (SELECT * FROM device_queue q WHERE q.registration_id = k.registration_id LIMIT 1) q
     ORDER BY d.place;
END $$;
