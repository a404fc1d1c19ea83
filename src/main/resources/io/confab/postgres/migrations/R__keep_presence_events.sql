-- Makes the partitions of presence_event for today and the next two days, by UTC, and drops those of days that ended
-- longer ago than this. What had no partition goes from the default one into that of its day, or away. Run by the
-- owner of the tables, as nodes may not make or drop any: it names them in full, so that nobody can put others in
-- their place.
CREATE OR REPLACE FUNCTION keep_presence_events(days integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  home  text := current_schema();
  today date := (now() AT TIME ZONE 'UTC')::date;
  day   date;
  part  text;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext(home || '.presence_event')) THEN
    RETURN; -- another node is at it
  END IF;
  FOR day IN SELECT today + n FROM generate_series(0, 2) AS n LOOP
    part := format('presence_event_%s', to_char(day, 'YYYYMMDD'));
    IF to_regclass(format('%I.%I', home, part)) IS NULL THEN
      EXECUTE format('CREATE TABLE %I.%I (LIKE %I.presence_event INCLUDING ALL)', home, part, home);
      EXECUTE format('LOCK TABLE %I.presence_event IN SHARE ROW EXCLUSIVE MODE', home);
      EXECUTE format(
        'WITH moved AS (DELETE FROM %I.presence_event_default
                         WHERE at >= %L AND at < %L RETURNING account_id, at, node, status)
         INSERT INTO %I.%I (account_id, at, node, status) SELECT account_id, at, node, status FROM moved',
        home, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC', home, part);
      EXECUTE format('ALTER TABLE %I.presence_event ATTACH PARTITION %I.%I FOR VALUES FROM (%L) TO (%L)',
        home, home, part, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
  FOR part IN
    SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = format('%I.presence_event', home)::regclass
       AND c.relname ~ '^presence_event_\d{8}$'
       AND to_date(right(c.relname, 8), 'YYYYMMDD') < today - days
  LOOP
    EXECUTE format('DROP TABLE %I.%I', home, part);
  END LOOP;
  EXECUTE format('DELETE FROM %I.presence_event_default WHERE at < %L', home, now() - make_interval(days => days));
END $$;
