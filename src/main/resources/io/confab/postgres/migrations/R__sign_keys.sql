-- Changes the identity of an account, unless it is null, and those of devices of it with keys, to which others added
-- signatures.
--   at_       the first of the devices that has no keys; then nothing is done
--   version_  of the account's devices, NULL: there is no such account; changed_: it was raised
CREATE OR REPLACE FUNCTION sign_keys(
  account_ bigint, identity_ text, devices_ text[], identities_ text[],
  OUT at_ bigint, OUT version_ bigint, OUT changed_ boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  before_ text;
BEGIN
  IF NOT hold_account(account_) THEN
    RETURN;
  END IF;
  INSERT INTO account_identity (account_id) VALUES (account_) ON CONFLICT DO NOTHING;
  SELECT i.identity, i.version INTO before_, version_
    FROM account_identity i WHERE i.account_id = account_ FOR NO KEY UPDATE;
  SELECT d.i - 1 INTO at_ FROM unnest(devices_) WITH ORDINALITY AS d (device_id, i)
   WHERE NOT EXISTS (SELECT FROM device_key k
                      WHERE k.account_id = account_ AND k.device_id = d.device_id AND k.removed_at IS NULL)
   ORDER BY d.i LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;
  UPDATE device_key k SET identity = d.identity FROM unnest(devices_, identities_) AS d (device_id, identity)
   WHERE k.account_id = account_ AND k.device_id = d.device_id AND k.identity <> d.identity;
  changed_ := FOUND OR coalesce(identity_ <> coalesce(before_, ''), false);
  IF changed_ THEN
    UPDATE account_identity i SET identity = coalesce(identity_, i.identity), version = i.version + 1
     WHERE i.account_id = account_ RETURNING i.version INTO version_;
  END IF;
END $$;
