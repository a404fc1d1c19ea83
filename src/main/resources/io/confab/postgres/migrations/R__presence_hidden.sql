-- Whether an account is hidden from another one: then nothing that it does but to post is told to that one. So is one
-- that is not there.
CREATE OR REPLACE FUNCTION presence_hidden(account_ bigint, viewer bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT NOT coalesce((
    SELECT a.removed_at IS NULL AND lets_see(a.presence_visible_to, a.account_id, viewer)
      FROM account a WHERE a.account_id = account_), false)
$$;
