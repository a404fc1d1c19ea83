-- The entity tag of an account as it sees itself.
CREATE OR REPLACE FUNCTION account_tag(account_ account) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT left(encode(sha256(convert_to(
    ROW(account_.handle, account_.display_name, account_.invites_from, account_.presence_visible_to,
        account_.last_seen_visible_to, account_.private_reading)::text, 'UTF8')), 'hex'), 24)
$$;
