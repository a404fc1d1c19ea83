-- Notes when a device signed out, which keeps its row for a while after that.
CREATE OR REPLACE FUNCTION note_sign_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.signed_out_at := CASE WHEN NEW.family_id IS NULL THEN now() END;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER signed_out BEFORE UPDATE OF family_id ON device FOR EACH ROW
WHEN ((OLD.family_id IS NULL) <> (NEW.family_id IS NULL))
EXECUTE FUNCTION note_sign_out();
