-- Hands a one-time key of each of these devices out, the fallback key of one that has none left, and nothing twice: keys
-- that others hold are passed over, and nobody waits for them. Each device once. Devices that the claimer may not see, or
-- that have no keys, or are dormant, are left out; `most_` claims of it within a day are counted for each, and beyond them nothing is
-- handed out.
--   place_    of the device among those asked for
--   limited_  it was claimed too often
--   fallback_ the key is the fallback key; without a key_id_ there is none
CREATE OR REPLACE FUNCTION claim_keys(claimer_ bigint, accounts_ bigint[], devices_ text[], most_ bigint)
RETURNS TABLE (place_ bigint, registration_ bigint, limited_ boolean, key_id_ text, key_ text, fallback_ boolean)
LANGUAGE sql VOLATILE AS $$
  WITH asked AS MATERIALIZED (
    SELECT d.place, k.registration_id, k.fallback_id, k.fallback_key
      FROM unnest(accounts_, devices_) WITH ORDINALITY AS d (account_id, device_id, place)
      CROSS JOIN LATERAL (SELECT k.* FROM device_key k
                           WHERE k.account_id = d.account_id AND k.device_id = d.device_id AND k.removed_at IS NULL
                           LIMIT 1) k
      CROSS JOIN LATERAL (SELECT FROM device_queue q WHERE q.registration_id = k.registration_id AND NOT q.dormant LIMIT 1) q
     WHERE d.account_id IN (SELECT can_see_keys(claimer_, accounts_))),
  counted AS (
    INSERT INTO key_claim AS c (claimer_id, registration_id, claims)
      SELECT claimer_, a.registration_id, 1 FROM asked a ORDER BY a.registration_id
    ON CONFLICT (claimer_id, registration_id) DO UPDATE
      SET since = CASE WHEN c.since <= now() - interval '1 day' THEN excluded.since ELSE c.since END,
          claims = CASE WHEN c.since <= now() - interval '1 day' THEN 1 ELSE c.claims + 1 END
      WHERE c.claims < most_ OR c.since <= now() - interval '1 day'
    RETURNING c.registration_id),
  free AS MATERIALIZED (
    SELECT c.registration_id, o.key_id FROM counted c
      CROSS JOIN LATERAL (SELECT o.key_id FROM one_time_key o WHERE o.registration_id = c.registration_id
                           ORDER BY o.key_id LIMIT 1 FOR UPDATE SKIP LOCKED) o),
  taken AS (
    DELETE FROM one_time_key o USING free f WHERE o.registration_id = f.registration_id AND o.key_id = f.key_id
    RETURNING o.registration_id, o.key_id, o.key),
  spent AS (
    INSERT INTO spent_key (registration_id, key_id) SELECT t.registration_id, t.key_id FROM taken t),
  unmarked AS MATERIALIZED (
    SELECT k.registration_id FROM counted c
      CROSS JOIN LATERAL (SELECT k.registration_id FROM device_key k
                           WHERE k.registration_id = c.registration_id AND k.fallback_id IS NOT NULL AND NOT k.fallback_used
                             AND NOT EXISTS (SELECT FROM taken t WHERE t.registration_id = c.registration_id)
                           LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) k),
  marked AS (
    UPDATE device_key k SET fallback_used = true FROM unmarked u WHERE k.registration_id = u.registration_id)
  SELECT a.place, a.registration_id, c.registration_id IS NULL,
         coalesce(t.key_id, f.fallback_id), coalesce(t.key, f.fallback_key),
         t.key_id IS NULL AND f.fallback_id IS NOT NULL
    FROM asked a
    LEFT JOIN counted c USING (registration_id)
    LEFT JOIN taken t USING (registration_id)
    LEFT JOIN LATERAL (SELECT a.fallback_id, a.fallback_key WHERE c.registration_id IS NOT NULL) f ON true
   ORDER BY a.place
$$;
