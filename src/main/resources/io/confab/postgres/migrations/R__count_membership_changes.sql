-- Counts, for each account of which a membership began or ended, that it changed. The accounts of a statement
-- are locked in the order of their ids.
CREATE OR REPLACE FUNCTION count_membership_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_changes AS c (account_id, number)
  SELECT DISTINCT account_id, 1 FROM changed ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET number = c.number + 1;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER memberships_began AFTER INSERT ON room_member
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_membership_changes();

CREATE OR REPLACE TRIGGER memberships_ended AFTER DELETE ON room_member
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_membership_changes();
