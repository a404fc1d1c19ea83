-- Compares the server with what is stored of it and answers the epoch, which is raised
--   when the server is another one, or went on along another timeline: a standby that was promoted and a
--   restored archive may lack the last commits;
--   when the caller knows a greater epoch: then the stored one is that of an older copy.
-- Of many callers at once one raises it; the others wait for the row and see that. A server is not
-- identified when its owner revoked the right to ask which server it is. Refused (25006) by a standby.
--
-- pg_walfile_name knows the timeline at once after a promotion, pg_control only after a checkpoint.
CREATE OR REPLACE FUNCTION look_at_epoch(known bigint, OUT current bigint, OUT identified boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  system_ bigint;
  line    bigint;
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE read_only_sql_transaction USING MESSAGE = 'the server is a standby';
  END IF;
  BEGIN
    system_ := (SELECT s.system_identifier FROM pg_control_system() s);
    line := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
    identified := true;
  EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    identified := false;
  END;
  UPDATE instance i
     SET epoch = CASE WHEN (i.system_identifier, i.timeline) <> (system_, line) OR i.epoch < known
                      THEN next_epoch(i.epoch, known) ELSE i.epoch END,
         system_identifier = coalesce(system_, i.system_identifier),
         timeline = coalesce(line, i.timeline)
   WHERE i.epoch < known
      OR identified AND (i.system_identifier, i.timeline) IS DISTINCT FROM (system_, line);
  -- A statement of its own, which sees what was committed while the row was waited for.
  SELECT i.epoch INTO current FROM instance i;
END $$;
