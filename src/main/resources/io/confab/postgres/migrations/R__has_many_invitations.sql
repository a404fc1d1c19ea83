-- Whether one of the accounts has as many open invitations as it may, which are 1,000, of which 50 by one who asks.
CREATE OR REPLACE FUNCTION has_many_invitations(accounts_ bigint[], by_ bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM invitation i
     WHERE i.account_id = ANY (accounts_) AND i.open AND i.ts > now() - interval '30 days'
     GROUP BY i.account_id
    HAVING count(*) >= 1000 OR count(*) FILTER (WHERE i.invited_by = by_) >= 50)
$$;
