-- Whether a room with so many members shows how far they have received and read.
CREATE OR REPLACE FUNCTION has_receipts(members bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT members <= 32
$$;
