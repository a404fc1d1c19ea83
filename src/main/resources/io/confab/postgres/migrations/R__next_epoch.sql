-- An epoch that nobody has seen: greater than the stored one and the one that is known. Because a copy may
-- lack former raises, it is greater than those of the past too, of which there was at most one a second.
CREATE OR REPLACE FUNCTION next_epoch(stored bigint, known bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT greatest(stored + 1, known + 1, extract(epoch FROM clock_timestamp())::bigint)
$$;
