-- Nodes that may be heard by no other, for as long as they say so: docs/adr/0028. May be lost.
CREATE UNLOGGED TABLE lone_node (
  nonce   bigint      PRIMARY KEY,
  node    text        NOT NULL,
  seen_at timestamptz NOT NULL
);
