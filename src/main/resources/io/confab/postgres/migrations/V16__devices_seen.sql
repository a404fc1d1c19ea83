-- When a device last signed in or traded its refresh token, and from where (an HMAC of the address), so
-- that its owner is not taken for a stranger. issued_by: the API key (a SHA-256) by which a backend signed
-- it in.
ALTER TABLE device
  ADD COLUMN seen_at   timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN seen_from bytea,
  ADD COLUMN issued_by bytea;
