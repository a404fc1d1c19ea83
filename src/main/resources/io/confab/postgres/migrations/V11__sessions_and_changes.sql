-- Orders the sessions of a device: each hello draws a number.
CREATE SEQUENCE session_number;

-- How often the memberships of an account began or ended, and its sign-ins ended; without a row: never. Kept by
-- triggers, in the transaction of the change. Its row is the last that a transaction locks.
CREATE TABLE account_changes (
  account_id bigint PRIMARY KEY REFERENCES account,
  number     bigint NOT NULL
) WITH (fillfactor = 50);

-- Functions: 425ebe4e13e1100c6cbebaffec5c5381f3a1ed338bd70781edc77429e26e08fd
