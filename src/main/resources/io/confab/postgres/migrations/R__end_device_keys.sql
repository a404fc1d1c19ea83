-- Ends the keys of a device together with the device, in whatever transaction that goes. Nothing else ends them.
CREATE OR REPLACE FUNCTION end_device_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  registration_ bigint;
BEGIN
  PERFORM raise_devices(OLD.account_id);
  UPDATE device_key k SET removed_at = now(), identity = '', fallback_id = NULL, fallback_key = NULL
   WHERE k.account_id = OLD.account_id AND k.device_id = OLD.device_id
   RETURNING k.registration_id INTO registration_;
  DELETE FROM one_time_key o WHERE o.registration_id = registration_;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_keys_ended AFTER DELETE ON device FOR EACH ROW
WHEN (OLD.has_keys)
EXECUTE FUNCTION end_device_keys();
