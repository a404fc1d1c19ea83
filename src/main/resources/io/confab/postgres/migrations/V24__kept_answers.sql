-- Calls with an idempotency key and what they were answered, encrypted; kept for 24 h.
--   caller_id  0: the server API key
--   seed       what the call makes comes of it, however often it is made
--   status     0: not answered yet
CREATE TABLE kept_answer (
  caller_id   bigint      NOT NULL,
  call_hash   text        NOT NULL,
  body_hash   bytea       NOT NULL,
  seed        bigint      NOT NULL,
  begun_at    timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz NOT NULL,
  status      smallint    NOT NULL DEFAULT 0,
  answer      bytea       NOT NULL DEFAULT '',
  PRIMARY KEY (caller_id, call_hash)
);

CREATE INDEX kept_answer_begun ON kept_answer (begun_at);

-- Functions: a5fe4fb5c55905458eceed3a82c7cc2cc19eb6e8ca39c8cd5a5303b8d4aaa874
