-- Counts that the account of a device changed, whose sign-in ended.
CREATE OR REPLACE FUNCTION count_ended_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_changes AS c (account_id, number) VALUES (OLD.account_id, 1)
  ON CONFLICT (account_id) DO UPDATE SET number = c.number + 1;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sign_in_ended AFTER UPDATE OF family_id ON device FOR EACH ROW
WHEN (OLD.family_id IS NOT NULL AND OLD.family_id IS DISTINCT FROM NEW.family_id)
EXECUTE FUNCTION count_ended_sign_in();

CREATE OR REPLACE TRIGGER device_forgotten AFTER DELETE ON device FOR EACH ROW
WHEN (OLD.family_id IS NOT NULL)
EXECUTE FUNCTION count_ended_sign_in();
