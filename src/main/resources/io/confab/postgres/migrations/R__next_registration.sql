-- A registration that no device ever had. Because a copy that takes the place of the database may lack the last
-- ones, those of each epoch are numbers of their own: 2^20 for each second since the former one. They stay below
-- 2^53, as clients need it.
--   known_  the greatest epoch that the caller knows: a copy that is older than that has another one first
CREATE OR REPLACE FUNCTION next_registration(known_ bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT (l.current << 20) + nextval('device_key_registration_id_seq') FROM look_at_epoch(known_) l
$$;
