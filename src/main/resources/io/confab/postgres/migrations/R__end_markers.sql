-- Markers and receipts end with a membership.
CREATE OR REPLACE FUNCTION end_markers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM marker k USING changed c WHERE k.account_id = c.account_id AND k.room_id = c.room_id;
  DELETE FROM receipt r USING changed c WHERE r.account_id = c.account_id AND r.room_id = c.room_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER markers_ended AFTER DELETE ON room_member
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION end_markers();
