-- Each device with keys has a queue, from its first keys on.
CREATE OR REPLACE FUNCTION begin_queues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO device_queue (registration_id, account_id)
    SELECT n.registration_id, n.account_id FROM begun n ORDER BY n.registration_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER queues_began AFTER INSERT ON device_key
REFERENCING NEW TABLE AS begun FOR EACH STATEMENT EXECUTE FUNCTION begin_queues();
