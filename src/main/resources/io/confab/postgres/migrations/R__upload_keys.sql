-- Stores keys of a device, which becomes one with keys by its identity. Nothing of it is done but with the outcome done.
--   outcome        done | no_device | no_identity: the first upload must bring it | other_suite | other_identity: than its
--                  device_id has | other_key: one_time_keys[at_] has an id under which another key stands | too_many:
--                  most_devices_ of the account have keys | too_many_ever: 1,000 of them had
--   left_          how many one-time keys there are now; what is more than most_keys_ is not stored
--   version_       of the account's devices, if this is a new one
--   known_         as of next_registration
-- What was handed out before is not stored again.
CREATE OR REPLACE FUNCTION upload_keys(
  account_ bigint, device_ text, suite_ text, identity_ text, fallback_id_ text, fallback_key_ text,
  ids_ text[], keys_ text[], most_devices_ bigint, most_keys_ bigint, known_ bigint,
  OUT outcome text, OUT at_ bigint, OUT registration_ bigint, OUT left_ bigint, OUT version_ bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  had     record;
  hash_   bytea;
BEGIN
  PERFORM 1 FROM device d WHERE d.account_id = account_ AND d.device_id = device_ FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    outcome := 'no_device';
    RETURN;
  END IF;
  hash_ := sha256(convert_to(identity_, 'UTF8'));
  SELECT * INTO had FROM device_key k WHERE k.account_id = account_ AND k.device_id = device_;
  IF had.registration_id IS NOT NULL AND had.removed_at IS NULL THEN
    registration_ := had.registration_id;
    outcome := CASE WHEN suite_ <> had.suite THEN 'other_suite'
                    WHEN hash_ <> had.identity_hash AND identity_ <> had.identity THEN 'other_identity' END;
    IF outcome IS NULL THEN
      SELECT d.i - 1 INTO at_ FROM unnest(ids_, keys_) WITH ORDINALITY AS d (key_id, key, i)
        JOIN one_time_key o ON o.registration_id = registration_ AND o.key_id = d.key_id AND o.key <> d.key
       ORDER BY d.i LIMIT 1;
      IF FOUND THEN
        outcome := 'other_key';
      END IF;
    END IF;
  ELSE
    outcome := CASE WHEN identity_ IS NULL THEN 'no_identity'
                    WHEN hash_ <> had.identity_hash THEN 'other_identity' END;
    IF outcome IS NULL THEN
      version_ := raise_devices(account_);
      SELECT CASE WHEN count(*) FILTER (WHERE k.removed_at IS NULL) >= most_devices_ THEN 'too_many'
                  WHEN count(*) >= 1000 AND had.registration_id IS NULL THEN 'too_many_ever' END
        INTO outcome FROM device_key k WHERE k.account_id = account_;
    END IF;
    IF outcome IS NULL THEN
      DELETE FROM device_key k WHERE k.registration_id = had.registration_id;
      registration_ := next_registration(known_);
      INSERT INTO device_key (registration_id, account_id, device_id, suite, identity, identity_hash)
        OVERRIDING SYSTEM VALUE VALUES (registration_, account_, device_, suite_, identity_, hash_);
      UPDATE device d SET has_keys = true WHERE d.account_id = account_ AND d.device_id = device_;
    END IF;
  END IF;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  INSERT INTO one_time_key (registration_id, key_id, key)
    SELECT registration_, d.key_id, d.key FROM unnest(ids_, keys_) WITH ORDINALITY AS d (key_id, key, i)
     WHERE NOT EXISTS (SELECT FROM one_time_key o WHERE o.registration_id = registration_ AND o.key_id = d.key_id)
       AND NOT EXISTS (SELECT FROM spent_key s WHERE s.registration_id = registration_ AND s.key_id = d.key_id)
     ORDER BY d.i
     LIMIT greatest(0, most_keys_ - (SELECT count(*) FROM one_time_key o WHERE o.registration_id = registration_))
    ON CONFLICT DO NOTHING;
  IF fallback_id_ IS NOT NULL THEN
    UPDATE device_key k SET fallback_id = fallback_id_, fallback_key = fallback_key_, fallback_used = false
     WHERE k.registration_id = registration_
       AND (k.fallback_id, k.fallback_key) IS DISTINCT FROM (fallback_id_, fallback_key_);
  END IF;
  SELECT count(*) INTO left_ FROM one_time_key o WHERE o.registration_id = registration_;
  outcome := 'done';
END $$;
