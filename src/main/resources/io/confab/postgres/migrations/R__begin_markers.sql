-- Markers begin at the newest message with a membership; the room is locked. A receipt that was raised just while the
-- membership before ended may still be there (move_markers locks no membership), and is none of this one. Triggers of a table run in the order of their
-- names: account_changes is locked last.
CREATE OR REPLACE FUNCTION begin_markers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO marker (account_id, room_id, read_seq, delivered_seq, ordinal)
    SELECT c.account_id, c.room_id, p.last_seq, p.last_seq, p.countable
      FROM changed c JOIN room_position p USING (room_id) ORDER BY c.account_id, c.room_id;
  DELETE FROM receipt r USING changed c WHERE r.account_id = c.account_id AND r.room_id = c.room_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER markers_began AFTER INSERT ON room_member
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION begin_markers();
