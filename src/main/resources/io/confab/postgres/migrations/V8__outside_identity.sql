-- Who accounts are at outside issuers. Identity is issuer and subject and nothing else. A row is never
-- changed, and stays when the account is removed, so that nobody comes back under the same identity.
CREATE TABLE outside_identity (
  issuer     text        NOT NULL,
  subject    text        NOT NULL,
  -- Checked at the commit: the identity is made first, so that of two who make it at once one waits.
  account_id bigint      NOT NULL UNIQUE REFERENCES account DEFERRABLE INITIALLY DEFERRED,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
