-- As change_room, for whoever has seen the settings that they change.
--   tags_    one of which the room must have; null: whatever it has
--   refusal  also: changed, where the caller may change any settings
CREATE OR REPLACE FUNCTION change_matching_room(
  room_ bigint, caller_ bigint, tags_ text[], name_ text, name_key_ text, description_ text, history_ text,
  slow_mode_s_ integer, max_members_ bigint, capacity_ integer, read_outside_ boolean, suite_ text DEFAULT NULL,
  expires_in_s_ integer DEFAULT NULL,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place record;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  IF tags_ IS NOT NULL AND room_refused('set_expiry', place.relation, place.archived) IS NULL AND NOT EXISTS (
      SELECT FROM room r JOIN room_position p USING (room_id)
       WHERE r.room_id = room_ AND room_tag(r, p) = ANY (tags_)) THEN
    refusal := 'changed';
  END IF;
  IF refusal IS NULL THEN
    SELECT c.refusal, c.before INTO refusal, before
      FROM change_room(
        room_, caller_, name_, name_key_, description_, history_, slow_mode_s_, max_members_, capacity_, read_outside_,
        suite_, expires_in_s_) c;
  END IF;
END $$;
