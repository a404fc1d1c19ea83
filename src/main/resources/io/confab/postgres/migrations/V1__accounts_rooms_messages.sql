-- The one row that says what this database is.
CREATE TABLE instance (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch       bigint  NOT NULL DEFAULT 1,
  -- Key of the HMAC under which nodes publish to each other through Redis.
  publish_key bytea   NOT NULL,
  -- Key from which the successor of a refresh token is derived.
  refresh_key bytea   NOT NULL
);
INSERT INTO instance (publish_key, refresh_key)
VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
        decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Keys of access tokens: ids are numbers in order, the highest signs, all are accepted.
CREATE TABLE signing_key (
  key_id     integer     PRIMARY KEY,
  secret     bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE account (
  account_id   bigint      PRIMARY KEY,
  handle       text        NOT NULL UNIQUE,
  display_name text        NOT NULL,
  role         text        NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin', 'bot')),
  created_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE credential (
  account_id    bigint PRIMARY KEY REFERENCES account,
  password_hash text   NOT NULL
);

-- A device that signed out keeps its row without a family: its tokens are refused.
CREATE TABLE device (
  account_id bigint      NOT NULL REFERENCES account,
  device_id  text        NOT NULL,
  name       text        NOT NULL,
  platform   text        NOT NULL,
  family_id  uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, device_id)
);

-- Tokens are kept as SHA-256; a family is one sign-in of one device. Whoever changes tokens locks the
-- device first. A spent token stays until it would have expired, so that its reuse is noticed;
-- respent: it was used that one more time.
CREATE TABLE refresh_token (
  token_hash bytea       PRIMARY KEY,
  account_id bigint      NOT NULL,
  device_id  text        NOT NULL,
  family_id  uuid        NOT NULL,
  expires_at timestamptz NOT NULL,
  spent_at   timestamptz,
  respent    boolean     NOT NULL DEFAULT false,
  FOREIGN KEY (account_id, device_id) REFERENCES device ON DELETE CASCADE
);
CREATE INDEX refresh_token_family ON refresh_token (account_id, device_id, family_id);

CREATE TABLE ticket (
  ticket_hash bytea       PRIMARY KEY,
  account_id  bigint      NOT NULL,
  device_id   text        NOT NULL,
  family_id   uuid        NOT NULL,
  expires_at  timestamptz NOT NULL,
  FOREIGN KEY (account_id, device_id) REFERENCES device ON DELETE CASCADE
);
CREATE INDEX ticket_expiry ON ticket (expires_at);

-- name_key: the name after NFKC and case folding; only channels have one.
-- direct_low, direct_high: the two accounts of a direct room, the smaller id first.
CREATE TABLE room (
  room_id      bigint      PRIMARY KEY,
  type         text        NOT NULL CHECK (type IN ('direct', 'group', 'channel')),
  name         text,
  name_key     text        COLLATE "C" UNIQUE,
  description  text,
  history      text        NOT NULL DEFAULT 'all' CHECK (history IN ('all', 'since_join')),
  direct_low   bigint,
  direct_high  bigint,
  member_count bigint      NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  archived_at  timestamptz,
  UNIQUE (direct_low, direct_high),
  CHECK ((type = 'channel') = (name_key IS NOT NULL)),
  CHECK ((type = 'direct') = (direct_low IS NOT NULL AND direct_high IS NOT NULL))
);

-- The row that every writer of a room locks first; narrow and half empty, so that updates are HOT.
CREATE TABLE room_position (
  room_id  bigint  PRIMARY KEY REFERENCES room,
  last_seq bigint  NOT NULL DEFAULT 0,
  last_rev bigint  NOT NULL DEFAULT 0,
  archived boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

CREATE TABLE room_member (
  room_id    bigint      NOT NULL REFERENCES room,
  account_id bigint      NOT NULL REFERENCES account,
  role       text        NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (room_id, account_id)
);
CREATE INDEX room_member_account ON room_member (account_id, room_id);

-- An interval of revs during which an account was a member: from_rev is the rev of its joining, to_rev that
-- of its leaving, null while it lasts.
-- seen_from_seq: the first message that this span lets the member see.
CREATE TABLE member_span (
  room_id       bigint NOT NULL,
  account_id    bigint NOT NULL,
  from_rev      bigint NOT NULL,
  seen_from_seq bigint NOT NULL,
  to_rev        bigint,
  PRIMARY KEY (room_id, account_id, from_rev)
);

-- Identity of a message is (room_id, seq). The rev is kept with it: no index is needed on it, because
-- room_change tells how many messages there were at each change.
CREATE TABLE message (
  room_id   bigint      NOT NULL,
  seq       bigint      NOT NULL,
  rev       bigint      NOT NULL,
  sender_id bigint      NOT NULL,
  ts        timestamptz NOT NULL,
  client_id text        NOT NULL,
  msg_type  text        NOT NULL,
  body      text        NOT NULL,
  reply_to  bigint,
  topic     text,
  PRIMARY KEY (room_id, seq)
);

-- Makes a retry recognisable for ever. client_key: the first 16 bytes of SHA-256 of the client_id.
-- content_hash: the first 8 bytes of SHA-256 over room, type, body, reply_to and topic.
CREATE TABLE send_key (
  sender_id    bigint NOT NULL,
  client_key   uuid   NOT NULL,
  room_id      bigint NOT NULL,
  seq          bigint NOT NULL,
  content_hash bigint NOT NULL,
  PRIMARY KEY (sender_id, client_key)
);

-- Numbered changes that are not messages. last_seq: the room's seq when it happened.
-- data: the fields of the room.event that are of this kind, as they stand on the wire.
CREATE TABLE room_change (
  room_id  bigint      NOT NULL,
  rev      bigint      NOT NULL,
  last_seq bigint      NOT NULL,
  kind     text        NOT NULL,
  actor_id bigint      NOT NULL,
  ts       timestamptz NOT NULL,
  data     jsonb       NOT NULL,
  PRIMARY KEY (room_id, rev)
);
