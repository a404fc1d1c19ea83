-- Whether the log of a room with so many members counts who comes and goes; else it names them.
CREATE OR REPLACE FUNCTION is_big(members bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT members > 200
$$;
