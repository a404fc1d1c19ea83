-- Removes refresh tokens that expired more than a day ago, at most so many, and ends the sign-ins that they were the
-- last tokens of; answers how many tokens. After a day no access token of such a sign-in is good, either.
-- Does not wait for tokens or devices that others hold: they stay for another time.
CREATE OR REPLACE FUNCTION forget_expired_tokens(most_ bigint, OUT forgotten bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  tokens bytea[];
  ended  record;
BEGIN
  tokens := ARRAY(
    SELECT t.token_hash FROM refresh_token t WHERE t.expires_at <= now() - interval '1 day'
     ORDER BY t.expires_at LIMIT most_ FOR UPDATE SKIP LOCKED);
  -- One after the other, so that accounts are counted in the order of their ids, as everybody does it.
  FOR ended IN
    SELECT d.account_id, d.device_id
      FROM refresh_token t JOIN device d USING (account_id, device_id, family_id)
     WHERE t.token_hash = ANY (tokens) AND t.spent_at IS NULL
     ORDER BY d.account_id, d.device_id FOR NO KEY UPDATE OF d SKIP LOCKED
  LOOP
    UPDATE device SET family_id = NULL WHERE account_id = ended.account_id AND device_id = ended.device_id;
  END LOOP;
  DELETE FROM refresh_token t
   WHERE t.token_hash = ANY (tokens)
     AND NOT EXISTS (
       SELECT FROM device d
        WHERE t.spent_at IS NULL AND d.account_id = t.account_id AND d.device_id = t.device_id
          AND d.family_id = t.family_id);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
END $$;
