-- Begins the sign-in of a device, which is made if the account has fewer than 50. Else the longest unused
-- device goes for it: one that is signed out, or, where it is known which devices are connected, one that is
-- not. Tokens of bots never expire, so their devices stay while signed in by them. Devices with keys stay.
--   info_       device_id, name, platform
--   keep_       whether a sign-in that stands goes on
--   connected_  the devices with an open socket; NULL: not known
--   family      of the sign-in; NULL: there is no room
--   gone        whether the sign-in of another device ended for it
-- The caller holds the row of the account, FOR NO KEY UPDATE.
CREATE OR REPLACE FUNCTION sign_in_device(
  account_ bigint, info_ text[], family_ uuid, seen_from_ bytea, issued_by_ bytea, keep_ boolean,
  connected_ text[], OUT family uuid, OUT gone boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  unused record;
BEGIN
  gone := false;
  UPDATE device SET name = info_[2], platform = info_[3],
    family_id = CASE WHEN keep_ THEN coalesce(family_id, family_) ELSE family_ END,
    seen_at = now(),
    seen_from = CASE WHEN keep_ AND family_id IS NOT NULL THEN seen_from ELSE seen_from_ END,
    issued_by = CASE WHEN keep_ AND family_id IS NOT NULL THEN issued_by ELSE issued_by_ END
  WHERE account_id = account_ AND device_id = info_[1] RETURNING family_id INTO family;
  IF FOUND THEN
    RETURN;
  END IF;
  IF (SELECT count(*) FROM device WHERE account_id = account_) >= 50 THEN
    SELECT device_id, family_id INTO unused FROM device d
    WHERE account_id = account_ AND (family_id IS NULL OR device_id <> ALL (connected_)) AND NOT has_keys
      AND NOT EXISTS (
        SELECT FROM bot_token b
        WHERE b.account_id = account_ AND b.device_id = d.device_id AND b.family_id = d.family_id)
    ORDER BY family_id IS NOT NULL, seen_at, device_id LIMIT 1;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    DELETE FROM device WHERE account_id = account_ AND device_id = unused.device_id AND NOT has_keys;
    IF NOT FOUND THEN -- it got keys meanwhile
      RETURN;
    END IF;
    gone := unused.family_id IS NOT NULL;
  END IF;
  INSERT INTO device (account_id, device_id, name, platform, family_id, seen_from, issued_by)
  VALUES (account_, info_[1], info_[2], info_[3], family_, seen_from_, issued_by_);
  family := family_;
END $$;
