-- The entity tag of a room: another one after each change of its settings, the same while people write, come and go.
CREATE OR REPLACE FUNCTION room_tag(room_ room, place_ room_position) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT left(encode(sha256(convert_to(
    ROW(room_.name, room_.description, room_.history, place_.slow_mode_s, room_.max_members, room_.capacity, room_.read_outside,
        place_.archived, room_.encryption_suite, room_.expires_in_s)::text,
    'UTF8')), 'hex'), 24)
$$;
