-- The devices of an account, or what they show of themselves, are others than before; answers the new version. Its row
-- stays locked. The caller holds the row of a device that it changes.
CREATE OR REPLACE FUNCTION raise_devices(account_ bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  INSERT INTO account_identity AS i (account_id, version) VALUES (account_, 1)
  ON CONFLICT (account_id) DO UPDATE SET version = i.version + 1
  RETURNING i.version
$$;
