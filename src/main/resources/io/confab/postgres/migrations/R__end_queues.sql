-- A queue ends with the keys of its device, in the same transaction: it is no target any more, and nobody reads it. What waits
-- there fails where no other device of the account has it. Of a long one a part is left for drain_queues, so that nobody waits
-- until all of it is gone.
CREATE OR REPLACE FUNCTION end_queues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_queues(ARRAY[NEW.account_id]);
  PERFORM empty_queues(ARRAY[NEW.registration_id], 'removed', 1000);
  UPDATE device_queue q SET ended = true, dormant = true WHERE q.registration_id = NEW.registration_id;
  DELETE FROM device_queue q WHERE q.registration_id = NEW.registration_id AND q.gone_seq = q.last_seq;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER queues_ended AFTER UPDATE OF removed_at ON device_key FOR EACH ROW
WHEN (NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL)
EXECUTE FUNCTION end_queues();
