-- Compares both ways of counting, of the next accounts after one: how many accounts and markers were looked at, how many
-- markers differ, and the last account; null behind all of them.
CREATE OR REPLACE FUNCTION unread_drift(
  after_ bigint, most integer, OUT accounts bigint, OUT markers bigint, OUT differing bigint, OUT last_account bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  looked bigint[] := ARRAY(SELECT a.account_id FROM account a WHERE a.account_id > after_ ORDER BY a.account_id LIMIT most);
BEGIN
  accounts := cardinality(looked);
  last_account := looked[accounts];
  SELECT count(*), count(*) FILTER (WHERE c.unread IS DISTINCT FROM r.unread OR c.mentions IS DISTINCT FROM r.mentions)
    INTO markers, differing
    FROM (SELECT s.account_id, c.* FROM unnest(looked) AS s (account_id) CROSS JOIN LATERAL unread_counts(s.account_id) c) c
    FULL JOIN unread_recounted(looked) r ON r.account_id = c.account_id AND r.room_id = c.room_id;
END $$;
