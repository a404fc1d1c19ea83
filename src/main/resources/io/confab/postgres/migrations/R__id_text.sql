-- An id as it stands on the wire: 13 characters of Crockford's base 32, as IdText writes it.
CREATE OR REPLACE FUNCTION id_text(id bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (id >> 5 * digit & 31)::integer + 1, 1), ''
                    ORDER BY digit DESC)
    FROM generate_series(0, 12) AS digit
$$;
