-- An account that is suspended is let in again when it is restored; one that was removed never. Its row
-- stays, because messages name it, and keeps the handle from others.
ALTER TABLE account
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN removed_at   timestamptz;

-- Tokens of bots, kept as SHA-256. They do not expire; each belongs to one sign-in of one device and ends
-- with it.
CREATE TABLE bot_token (
  token_hash bytea  PRIMARY KEY,
  account_id bigint NOT NULL,
  device_id  text   NOT NULL,
  family_id  uuid   NOT NULL,
  FOREIGN KEY (account_id, device_id) REFERENCES device ON DELETE CASCADE
);
CREATE INDEX bot_token_device ON bot_token (account_id, device_id);
