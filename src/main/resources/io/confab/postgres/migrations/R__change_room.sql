-- Changes the settings of a room that are given and differ. As join_room.
-- name_key_: of a channel with that name. With a capacity where there was none it is told who may read.
-- suite_: seals the room, for ever. expires_in_s_: as of room; 0: as long as anything.
CREATE OR REPLACE FUNCTION change_room(
  room_ bigint, caller_ bigint, name_ text, name_key_ text, description_ text, history_ text, slow_mode_s_ integer,
  max_members_ bigint, capacity_ integer, read_outside_ boolean, suite_ text DEFAULT NULL,
  expires_in_s_ integer DEFAULT NULL,
  OUT refusal text, OUT before bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  place   record;
  changed jsonb;
BEGIN
  SELECT * INTO place FROM lock_room(room_, caller_, NULL);
  refusal := coalesce(
    CASE WHEN num_nonnulls(name_, description_, history_, slow_mode_s_, max_members_, capacity_, read_outside_) > 0
           OR num_nonnulls(suite_, expires_in_s_) = 0
      THEN room_refused('change_settings', place.relation, place.archived) END,
    CASE WHEN suite_ IS NOT NULL THEN room_refused('seal', place.relation, place.archived) END,
    CASE WHEN expires_in_s_ IS NOT NULL THEN room_refused('set_expiry', place.relation, place.archived) END,
    seal_refused(room_, suite_, capacity_, expires_in_s_));
  IF refusal IS NULL THEN
    SELECT jsonb_strip_nulls(jsonb_build_object(
             'name', nullif(name_, r.name),
             'description', nullif(description_, coalesce(r.description, '')),
             'history', nullif(history_, r.history),
             'slow_mode_s', nullif(slow_mode_s_, p.slow_mode_s),
             'max_members', nullif(max_members_, coalesce(r.max_members, 0)),
             'capacity', nullif(capacity_, coalesce(r.capacity, 0)),
             'read_outside', CASE WHEN capacity_ > 0 AND r.capacity IS NULL THEN coalesce(read_outside_, r.read_outside)
                                  ELSE nullif(read_outside_, r.read_outside) END,
             'encryption', CASE WHEN suite_ IS NOT NULL AND r.encryption_suite IS NULL
                             THEN jsonb_build_object('suite', suite_, 'from_seq', p.last_seq + 1, 'from_rev', p.last_rev + 1) END,
             'expires_in_s', nullif(expires_in_s_, coalesce(r.expires_in_s, 0))))
      INTO changed
      FROM room r JOIN room_position p USING (room_id) WHERE r.room_id = room_;
    IF changed ? 'name' AND NOT rename_room(room_, name_, name_key_) THEN
      refusal := 'name_taken';
    ELSIF changed <> '{}' THEN
      UPDATE room r
         SET description = nullif(coalesce(description_, r.description), ''),
             history = coalesce(history_, r.history),
             max_members = nullif(coalesce(max_members_, r.max_members), 0),
             capacity = nullif(coalesce(capacity_, r.capacity), 0),
             capped_rev = CASE WHEN capacity_ > 0 AND r.capacity IS NULL THEN place.rev + 1 ELSE r.capped_rev END,
             read_outside = coalesce(read_outside_, r.read_outside),
             encryption_suite = coalesce(r.encryption_suite, suite_),
             sealed_from_seq = coalesce(r.sealed_from_seq, (changed #>> '{encryption,from_seq}')::bigint),
             sealed_from_rev = coalesce(r.sealed_from_rev, (changed #>> '{encryption,from_rev}')::bigint),
             expires_in_s = nullif(coalesce(expires_in_s_, r.expires_in_s), 0)
       WHERE r.room_id = room_;
      UPDATE room_position p
         SET slow_mode_s = coalesce(slow_mode_s_, p.slow_mode_s), capped = r.capacity IS NOT NULL,
             inside_only = r.capacity IS NOT NULL AND NOT r.read_outside, sealed = r.encryption_suite IS NOT NULL
        FROM room r WHERE p.room_id = room_ AND r.room_id = room_;
      changed := jsonb_build_object('settings', changed);
      PERFORM tell_room(room_, caller_, 'room.changed', changed);
      PERFORM note_room(room_, caller_, 'room.changed', NULL, changed);
    END IF;
  END IF;
  before := CASE WHEN refusal IS NULL THEN place.rev END;
END $$;
