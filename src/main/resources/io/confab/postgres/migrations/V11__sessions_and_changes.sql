-- Orders the sessions of a device: each hello draws a number.
CREATE SEQUENCE session_number;

-- How often the memberships of an account began or ended, and its sign-ins ended; without a row: never. Kept by
-- triggers, in the transaction of the change. A change of a room locks its row last.
CREATE TABLE account_changes (
  account_id bigint PRIMARY KEY REFERENCES account,
  number     bigint NOT NULL
) WITH (fillfactor = 50);

-- Functions: cba6167c2729691f1332ec034adf7d8bc9d4b675273bbf1a6614e8013f07e2ef
