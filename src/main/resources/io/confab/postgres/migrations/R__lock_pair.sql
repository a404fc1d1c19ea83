-- Orders those who block one of two people, or make the direct room of the two: one goes first. To be
-- called before any lock of an existing room.
CREATE OR REPLACE FUNCTION lock_pair(one bigint, other bigint) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('direct ' || least(one, other) || ' ' || greatest(one, other), 0))
$$;
