-- Removes entries of the audit log that are older than a time, the oldest first, at most so many; answers how many.
-- With the rights of the owner of the schema: nodes may not delete entries by themselves, and none that is younger
-- than 30 days goes, whatever is asked. Does not wait for rows that others hold.
CREATE OR REPLACE FUNCTION forget_audit(kept_ms_ bigint, most_ bigint, OUT forgotten bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
BEGIN
  DELETE FROM room_audit WHERE ctid = ANY (ARRAY(
    SELECT a.ctid FROM room_audit a
     WHERE a.ts <= now() - greatest(kept_ms_ * interval '1 ms', interval '30 days')
     ORDER BY a.ts LIMIT most_ FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
END $$;

-- What it names is found in its own schema alone, and never among the temporary things of who calls it:
-- https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION forget_audit(bigint, bigint) SET search_path = %I, pg_temp', current_schema());
END $$;
REVOKE ALL ON FUNCTION forget_audit(bigint, bigint) FROM PUBLIC;
