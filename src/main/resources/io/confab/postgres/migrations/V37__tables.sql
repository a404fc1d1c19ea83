-- All tables of Confab. Each function, and the triggers that call it, stand in a repeatable file of their own,
-- R__<function>.sql: docs/adr/0024.
-- Functions: 9984795384068a13ac47a1c5a9a0c535bd7f45e853971b310fb025ad43df3419

-- The one row that says what this database is.
CREATE TABLE instance (
  only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch             bigint  NOT NULL DEFAULT 1,
  -- Key of the HMAC under which nodes publish to each other through Redis.
  publish_key       bytea   NOT NULL,
  -- Key from which the successor of a refresh token is derived.
  refresh_key       bytea   NOT NULL,
  -- Which incarnation of the database was seen last. Null until first seen.
  system_identifier bigint,
  timeline          bigint
);
INSERT INTO instance (publish_key, refresh_key)
VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
        decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Orders the sessions of a device: each hello draws a number.
CREATE SEQUENCE session_number;

-- Keys of access tokens: ids are numbers in order, the highest signs, all are accepted.
CREATE TABLE signing_key (
  key_id     integer     PRIMARY KEY,
  secret     bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Nodes that may be heard by no other, for as long as they say so: docs/adr/0028. May be lost.
CREATE UNLOGGED TABLE lone_node (
  nonce   bigint      PRIMARY KEY,
  node    text        NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Whether Redis still has who is inside rooms with a capacity, and who waits: docs/adr/0054. One row.
-- instances: the run ids of its servers; null until they were seen first. raised_at: when they were other ones, or the
-- epoch was raised otherwise; null: never. seen_at: when a node saw them last.
-- resumed_at: when one saw them again after a while; null: never. away_ms: for how long nobody had seen them at both.
CREATE TABLE seat_epoch (
  epoch      bigint      NOT NULL DEFAULT 1,
  instances  text[],
  raised_at  timestamptz,
  away_ms    bigint      NOT NULL DEFAULT 0,
  seen_at    timestamptz NOT NULL DEFAULT now(),
  resumed_at timestamptz
);
INSERT INTO seat_epoch DEFAULT VALUES;
CREATE UNIQUE INDEX seat_epoch_is_one_row ON seat_epoch ((true));

-- Which node removes what is over, and when all of it was removed last; null: never.
-- held_until: the end of its lease, which each portion prolongs.
CREATE TABLE sweep (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  holder     bigint,
  held_until timestamptz NOT NULL DEFAULT '-infinity',
  swept_at   timestamptz
);
INSERT INTO sweep DEFAULT VALUES;

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

-- An account that is suspended is let in again when it is restored; one that was removed never. Its row
-- stays, because messages name it, and keeps the handle from others.
-- leaving: it was removed and its memberships have not ended yet. Another node ends them when the one that
-- began is gone.
-- invites_from: whose invitations are memberships at once: everyone | shared_rooms | nobody.
-- presence_visible_to, last_seen_visible_to: as invites_from. private_reading: others are not told what it has read.
CREATE TABLE account (
  account_id   bigint      PRIMARY KEY,
  handle       text        NOT NULL UNIQUE,
  display_name text        NOT NULL,
  role         text        NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin', 'bot')),
  created_at   timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz,
  removed_at   timestamptz,
  leaving      boolean     NOT NULL DEFAULT false,
  invites_from text        NOT NULL DEFAULT 'everyone',

  presence_visible_to  text    NOT NULL DEFAULT 'shared_rooms',
  last_seen_visible_to text    NOT NULL DEFAULT 'shared_rooms',
  private_reading      boolean NOT NULL DEFAULT false,
  status_text          text
);
CREATE INDEX account_leaving ON account (account_id) WHERE leaving;

-- How often the memberships of an account began or ended, and its sign-ins ended; without a row: never. Kept by
-- triggers, in the transaction of the change. A change of a room locks its row last.
-- markers: how often its markers or receipts changed. chosen: how often it chose a status for all its sessions, and
-- status the last one of these.
CREATE TABLE account_changes (
  account_id bigint PRIMARY KEY REFERENCES account,
  number     bigint NOT NULL DEFAULT 0,
  markers    bigint NOT NULL DEFAULT 0,
  chosen     bigint NOT NULL DEFAULT 0,
  status     text
) WITH (fillfactor = 50);

-- When accounts came and went, to the millisecond, and which node said so; by days of UTC, made and dropped by
-- keep_presence_events.
CREATE TABLE presence_event (
  account_id bigint      NOT NULL,
  at         timestamptz NOT NULL,
  node       text        NOT NULL,
  status     text        NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX presence_event_account ON presence_event (account_id, at);
-- What comes while nobody makes partitions.
CREATE TABLE presence_event_default PARTITION OF presence_event DEFAULT;

-- What became of each account last, and when it was there last.
-- logged: how often it came, went or changed on that day of UTC; beyond a bound presence_event has no row of it.
CREATE TABLE last_seen (
  account_id bigint      PRIMARY KEY,
  at         timestamptz NOT NULL,
  status     text        NOT NULL,
  logged     integer     NOT NULL DEFAULT 1
) WITH (fillfactor = 70);

CREATE TABLE credential (
  account_id    bigint PRIMARY KEY REFERENCES account,
  password_hash text   NOT NULL
);

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

-- A device that signed out keeps its row without a family for a while: its tokens are refused.
-- signed_out_at: kept by a trigger; null while it has a family.
-- seen_at, seen_from: when it last signed in or traded its refresh token, and from where (an HMAC of the
-- address), so that its owner is not taken for a stranger.
-- issued_by: the API key (a SHA-256) by which a backend signed it in.
-- has_keys: it takes part in sealed rooms; it stays when it signs out, until it is removed.
CREATE TABLE device (
  account_id    bigint      NOT NULL REFERENCES account,
  device_id     text        NOT NULL,
  name          text        NOT NULL,
  platform      text        NOT NULL,
  family_id     uuid,
  created_at    timestamptz NOT NULL DEFAULT now(),
  seen_at       timestamptz NOT NULL DEFAULT now(),
  seen_from     bytea,
  issued_by     bytea,
  signed_out_at timestamptz,
  has_keys      boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, device_id)
);
CREATE INDEX device_signed_out ON device (signed_out_at) WHERE family_id IS NULL AND NOT has_keys;
CREATE INDEX device_issued ON device (issued_by) WHERE issued_by IS NOT NULL AND family_id IS NOT NULL;

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
CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);

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

CREATE TABLE ticket (
  ticket_hash bytea       PRIMARY KEY,
  account_id  bigint      NOT NULL,
  device_id   text        NOT NULL,
  family_id   uuid        NOT NULL,
  expires_at  timestamptz NOT NULL,
  FOREIGN KEY (account_id, device_id) REFERENCES device ON DELETE CASCADE
);
CREATE INDEX ticket_expiry ON ticket (expires_at);

-- What an account shows of itself to those it shares sealed rooms with. Keys, identities and vaults are text that no
-- server understands: docs/adr/0056.
-- identity: null: it has none. version: rises when its devices or their keys change; one who changes which devices have
-- keys locks this row, after that of the device.
CREATE TABLE account_identity (
  account_id bigint PRIMARY KEY REFERENCES account,
  identity   text,
  version    bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

-- What an account keeps for itself.
CREATE TABLE vault (
  account_id bigint PRIMARY KEY REFERENCES account,
  vault      text   NOT NULL
);

-- Devices with keys. registration_id: of one incarnation of a device as a holder of keys, never used again.
-- identity: with the signatures that other devices of the account added; identity_hash: the SHA-256 of it as the device
-- gave it at first: a device_id never has another one. fallback_used: it was handed out since it was uploaded, about: a claim does not wait to note it.
-- removed_at: it holds keys no longer; the row stays, without them, for the hash. Locks are taken in the order of device,
-- account_identity, device_key, one_time_key; a claim waits for none of them.
CREATE TABLE device_key (
  registration_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id      bigint      NOT NULL REFERENCES account,
  device_id       text        NOT NULL,
  suite           text        NOT NULL,
  identity        text        NOT NULL,
  identity_hash   bytea       NOT NULL,
  fallback_id     text,
  fallback_key    text,
  fallback_used   boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  removed_at      timestamptz,
  UNIQUE (account_id, device_id)
);

-- Keys that were not handed out yet.
CREATE TABLE one_time_key (
  registration_id bigint NOT NULL REFERENCES device_key,
  key_id          text   COLLATE "C" NOT NULL,
  key             text   NOT NULL,
  PRIMARY KEY (registration_id, key_id)
);

-- Keys that were, so that an upload which is repeated brings none of them back; kept for a time.
CREATE TABLE spent_key (
  registration_id bigint      NOT NULL,
  key_id          text        COLLATE "C" NOT NULL,
  spent_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (registration_id, key_id)
);
CREATE INDEX spent_key_at ON spent_key (spent_at);

-- How often an account claimed a key of a device since then; goes after a day.
CREATE TABLE key_claim (
  claimer_id      bigint      NOT NULL,
  registration_id bigint      NOT NULL,
  since           timestamptz NOT NULL DEFAULT now(),
  claims          bigint      NOT NULL,
  PRIMARY KEY (claimer_id, registration_id)
) WITH (fillfactor = 70);
CREATE INDEX key_claim_since ON key_claim (since);

CREATE TABLE block (
  account_id bigint      NOT NULL REFERENCES account,
  blocked_id bigint      NOT NULL REFERENCES account,
  ts         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, blocked_id),
  CHECK (account_id <> blocked_id)
);

-- name_key: the name after NFKC and case folding; only channels have one.
-- direct_low, direct_high: the two accounts of a direct room, the smaller id first.
-- max_members: null: as many as like.
-- encryption_suite: of a sealed room, which it stays; null: it is not. sealed_from_seq, sealed_from_rev: the first numbers
-- under which nothing plain stands. expires_in_s: for how long what is said there lasts, if its sender says nothing else;
-- null: as long as anything.
-- capacity: how many may be inside at once; null: inside and outside are the same. read_outside: whether members who
-- are outside may read. Each change of them has a rev. capped_rev: the one with which the last capacity began that
-- there was none before; 0: that of the room's beginning.
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
  max_members  bigint,
  capacity     integer     CHECK (capacity IS NULL OR capacity > 0 AND type <> 'direct'),
  read_outside boolean     NOT NULL DEFAULT false,
  capped_rev   bigint      NOT NULL DEFAULT 0,
  encryption_suite text,
  sealed_from_seq  bigint,
  sealed_from_rev  bigint,
  expires_in_s     integer,
  UNIQUE (direct_low, direct_high),
  CHECK (num_nulls(encryption_suite, sealed_from_seq, sealed_from_rev) IN (0, 3)),
  CHECK (encryption_suite IS NULL OR type <> 'channel' AND capacity IS NULL),
  CHECK ((type = 'channel') = (name_key IS NOT NULL)),
  CHECK ((type = 'direct') = (direct_low IS NOT NULL AND direct_high IS NOT NULL))
);

-- That the seats of a room were set up in Redis, so that it is noticed when they are lost.
-- opening: how often they were. used_at: about when anything happened there last.
CREATE TABLE room_seats (
  room_id    bigint      PRIMARY KEY REFERENCES room,
  seat_epoch bigint      NOT NULL,
  opening    bigint      NOT NULL DEFAULT 1,
  opened_at  timestamptz NOT NULL DEFAULT now(),
  used_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX room_seats_used ON room_seats (used_at);

-- The row that every writer of a room locks first; narrow and half empty, so that updates are HOT. What a send
-- has to know stands here and in room_member.
-- slow_mode_s: seconds between two messages of a member; 0: none.
-- blocked: of a direct room, one of the two blocked the other.
-- capped: the room has a capacity: who sends must be inside. inside_only: and who reads too.
-- sealed: it takes envelopes and no plain messages. envelopes: how many sends it had since, silent ones too.
-- countable: how many messages were ever stored that unread counts count.
CREATE TABLE room_position (
  room_id     bigint  PRIMARY KEY REFERENCES room,
  last_seq    bigint  NOT NULL DEFAULT 0,
  last_rev    bigint  NOT NULL DEFAULT 0,
  countable   bigint  NOT NULL DEFAULT 0,
  slow_mode_s integer NOT NULL DEFAULT 0,
  archived    boolean NOT NULL DEFAULT false,
  blocked     boolean NOT NULL DEFAULT false,
  capped      boolean NOT NULL DEFAULT false,
  inside_only boolean NOT NULL DEFAULT false,
  sealed      boolean NOT NULL DEFAULT false,
  envelopes   bigint  NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- sees_all: whether all of the room is there for the member to see: then its spans need not be looked at.
-- muted_until: a copy of room_mute, also when it is over. last_sent_at: kept only where slow mode is on.
-- sent: how many messages of this membership were stored.
CREATE TABLE room_member (
  room_id      bigint      NOT NULL REFERENCES room,
  account_id   bigint      NOT NULL REFERENCES account,
  role         text        NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at    timestamptz NOT NULL DEFAULT now(),
  sees_all     boolean     NOT NULL DEFAULT true,
  muted_until  timestamptz,
  last_sent_at timestamptz,
  sent         bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (room_id, account_id)
) WITH (fillfactor = 70);
CREATE INDEX room_member_account ON room_member (account_id, room_id);

-- How far a member has read and received in a room; there as long as the membership. Whoever changes markers locks them in
-- the order of their keys, then receipts, then account_changes, and no room.
-- unread_from: the member wants to see the messages from here as unread. The *place* of a marker is just before it, else at
-- read_seq: unread counts begin there. A membership begins with its place at the newest message.
-- ordinal, own: how many countable messages the room, and the member by room_member.sent, had at the place.
CREATE TABLE marker (
  account_id    bigint      NOT NULL,
  room_id       bigint      NOT NULL,
  read_seq      bigint      NOT NULL,
  delivered_seq bigint      NOT NULL,
  unread_from   bigint,
  ordinal       bigint      NOT NULL,
  own           bigint      NOT NULL DEFAULT 0,
  moved_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, room_id)
) WITH (fillfactor = 70);

-- Up to which of a member's own messages others have received and read them, in rooms with receipts; without a row: none.
CREATE TABLE receipt (
  account_id    bigint      NOT NULL,
  room_id       bigint      NOT NULL,
  delivered_seq bigint      NOT NULL,
  read_seq      bigint      NOT NULL,
  moved_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, room_id)
) WITH (fillfactor = 70);

-- An interval of revs during which an account was a member: from_rev is the rev of its joining, to_rev that
-- of its leaving, null while it lasts.
-- seen_from_seq, seen_to_seq: the first message that this span lets the member see, and the last one that it
-- lets a former member see; null while it lasts.
CREATE TABLE member_span (
  room_id       bigint NOT NULL,
  account_id    bigint NOT NULL,
  from_rev      bigint NOT NULL,
  seen_from_seq bigint NOT NULL,
  to_rev        bigint,
  seen_to_seq   bigint,
  PRIMARY KEY (room_id, account_id, from_rev)
);
CREATE INDEX member_span_account ON member_span (account_id);

-- Stays when the member leaves, so that it is not shaken off by joining again; goes when it is over.
CREATE TABLE room_mute (
  room_id    bigint      NOT NULL REFERENCES room,
  account_id bigint      NOT NULL REFERENCES account,
  until      timestamptz NOT NULL,
  PRIMARY KEY (room_id, account_id)
);
CREATE INDEX room_mute_account ON room_mute (account_id);
CREATE INDEX room_mute_until ON room_mute (until);

CREATE TABLE room_ban (
  room_id    bigint      NOT NULL REFERENCES room,
  account_id bigint      NOT NULL REFERENCES account,
  banned_by  bigint      NOT NULL,
  reason     text,
  banned_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (room_id, account_id)
);
CREATE INDEX room_ban_account ON room_ban (account_id);
CREATE INDEX room_ban_by ON room_ban (banned_by);

-- Codes by which people join, each kept as SHA-256. One ends with its maker's right to give it.
CREATE TABLE room_invite (
  room_id    bigint      NOT NULL REFERENCES room,
  invite_id  text        COLLATE "C" NOT NULL,
  code_hash  bytea       NOT NULL UNIQUE,
  made_by    bigint      NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  max_uses   bigint,
  uses       bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (room_id, invite_id)
);
CREATE INDEX room_invite_maker ON room_invite (made_by, room_id);

-- Whom members of a room asked to join it. Closed ones stay, so that nobody is asked too often.
-- ts: when the account was asked last. changed_at: when the transaction began that asked or closed.
CREATE TABLE invitation (
  account_id bigint      NOT NULL REFERENCES account,
  room_id    bigint      NOT NULL REFERENCES room,
  invited_by bigint      NOT NULL,
  ts         timestamptz NOT NULL DEFAULT now(),
  open       boolean     NOT NULL DEFAULT true,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, room_id)
);
CREATE INDEX invitation_changed ON invitation (room_id, changed_at);
CREATE INDEX invitation_open ON invitation (room_id, invited_by) WHERE open;
CREATE INDEX invitation_by ON invitation (invited_by);
-- What nodes look at by themselves: which invitations changed, whose time is over, and which ended long ago.
CREATE INDEX invitation_lately ON invitation (changed_at, account_id, room_id);
CREATE INDEX invitation_asked ON invitation (ts) WHERE open;
CREATE INDEX invitation_closed ON invitation (changed_at) WHERE NOT open;

-- What owners and admins did; removed after a time by forget_audit. data: the fields that are of the action, as they stand on the wire.
CREATE TABLE room_audit (
  room_id    bigint      NOT NULL REFERENCES room,
  entry_id   bigint      GENERATED ALWAYS AS IDENTITY,
  ts         timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id   bigint      NOT NULL,
  action     text        NOT NULL,
  account_id bigint,
  data       jsonb,
  PRIMARY KEY (room_id, entry_id)
);
CREATE INDEX room_audit_ts ON room_audit (ts);
CREATE INDEX room_audit_actor ON room_audit (actor_id);
CREATE INDEX room_audit_account ON room_audit (account_id) WHERE account_id IS NOT NULL;

-- Numbered changes that are not messages. last_seq: the room's seq when it happened.
-- data: the fields of the room.event that are of this kind, as they stand on the wire.
-- left_id, left_reason: of a change that tells of people in numbers only, whose membership ended, and why.
CREATE TABLE room_change (
  room_id     bigint      NOT NULL,
  rev         bigint      NOT NULL,
  last_seq    bigint      NOT NULL,
  kind        text        NOT NULL,
  actor_id    bigint      NOT NULL,
  ts          timestamptz NOT NULL,
  data        jsonb       NOT NULL,
  left_id     bigint,
  left_reason text,
  PRIMARY KEY (room_id, rev)
);

-- Identity of a message is (room_id, seq). The rev is kept with it: no index is needed on it, because
-- room_change tells how many messages there were at each change.
-- ordinal: how many countable messages the room had with this one; editing and deleting change it never.
-- changed_rev: rev of the last edit, or of the deletion down to a tombstone: number, sender and time stay.
-- mentions: accounts, 0 for all members, -1 for those online; null: nobody.
-- A message of the type sealed says nothing here: its words are in envelopes.
CREATE TABLE message (
  room_id     bigint      NOT NULL,
  seq         bigint      NOT NULL,
  rev         bigint      NOT NULL,
  ordinal     bigint      NOT NULL,
  sender_id   bigint      NOT NULL,
  ts          timestamptz NOT NULL,
  client_id   text        NOT NULL,
  msg_type    text        NOT NULL,
  body        text,
  reply_to    bigint,
  topic       text,
  changed_rev bigint,
  edited_at   timestamptz,
  deleted_at  timestamptz,
  deleted_by  bigint,
  mentions    bigint[],
  PRIMARY KEY (room_id, seq)
);
-- What unread counts leave out.
CREATE INDEX message_deleted ON message (room_id, seq) INCLUDE (sender_id) WHERE deleted_at IS NOT NULL;

-- Who is mentioned in messages that are not deleted: a member other than the sender, or 0: all of them.
CREATE TABLE mention (
  account_id bigint NOT NULL,
  room_id    bigint NOT NULL,
  seq        bigint NOT NULL,
  sender_id  bigint NOT NULL,
  PRIMARY KEY (account_id, room_id, seq)
);

-- Makes a retry recognisable for ever, and finds the messages of an account.
-- client_key: the first 16 bytes of SHA-256 of the client_id.
-- content_hash: the first 8 bytes of SHA-256 over room, type, body, reply_to and topic.
-- rev: that of an edit, null for a send.
-- A silent envelope has no seq: minus the time when it was sent, in milliseconds since 1970; room_id is 0 where it has no room.
CREATE TABLE send_key (
  sender_id    bigint NOT NULL,
  client_key   uuid   NOT NULL,
  room_id      bigint NOT NULL,
  seq          bigint NOT NULL,
  content_hash bigint NOT NULL,
  rev          bigint,
  PRIMARY KEY (sender_id, client_key)
);

-- What a message said before an edit, since when, and the rev under which it began to say so. Goes when
-- the message is deleted.
CREATE TABLE message_version (
  room_id bigint      NOT NULL,
  seq     bigint      NOT NULL,
  rev     bigint      NOT NULL,
  body    text        NOT NULL,
  ts      timestamptz NOT NULL,
  PRIMARY KEY (room_id, seq, rev)
);

-- What waits for a device with keys; there as long as it holds them. The row is the lock of its queue: whoever locks several
-- does it in the order of registrations, after rooms and send keys.
-- What waits is numbered without holes from gone_seq + 1, the first that was not acknowledged, to last_seq.
-- waits_since: when the queue ceased to be empty, or something of it was acknowledged last. loud_seq: the last number of what
-- was not sent silently. woken_until: when the device may be woken for something like that: infinity: it was, -infinity: at any
-- time, else: somebody was about to, and has died if it is over. dormant: it is no target any more, until it opens its queue again.
-- ended: its device holds keys no longer; it is dormant, and goes when it is empty.
CREATE TABLE device_queue (
  registration_id bigint      PRIMARY KEY,
  account_id      bigint      NOT NULL,
  last_seq        bigint      NOT NULL DEFAULT 0,
  gone_seq        bigint      NOT NULL DEFAULT 0,
  loud_seq        bigint      NOT NULL DEFAULT 0,
  waits_since     timestamptz NOT NULL DEFAULT now(),
  woken_until     timestamptz NOT NULL DEFAULT '-infinity',
  dormant         boolean     NOT NULL DEFAULT false,
  ended           boolean     NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE INDEX device_queue_account ON device_queue (account_id);
CREATE INDEX device_queue_dormant ON device_queue (registration_id) WHERE dormant;

-- What waits in queues. body: for this device alone; what all share stands in envelope_payload. payload_id: null: its time was
-- over, or its device cannot read it; the number stays until it is acknowledged.
CREATE TABLE envelope (
  registration_id bigint NOT NULL,
  seq             bigint NOT NULL,
  payload_id      bigint,
  body            text,
  PRIMARY KEY (registration_id, seq)
);
-- Whether a device still has a send is asked of the few devices of an account, whoever else has it.
CREATE INDEX envelope_payload_id ON envelope (payload_id, registration_id) WHERE payload_id IS NOT NULL;

CREATE SEQUENCE envelope_payload_number;

-- What is the same in all envelopes of a send; goes some time after the last of them.
-- room_id: null: without a room. room_seq: null: silent. due_at: when it is over; timed: because its sender or the room says so.
CREATE TABLE envelope_payload (
  payload_id       bigint      PRIMARY KEY,
  room_id          bigint,
  room_seq         bigint,
  sender_id        bigint      NOT NULL,
  sender_device_id text        NOT NULL,
  client_id        text        NOT NULL,
  ts               timestamptz NOT NULL,
  due_at           timestamptz NOT NULL,
  timed            boolean     NOT NULL,
  payload          text
);
CREATE INDEX envelope_payload_due ON envelope_payload (due_at);

-- Which messages of sealed rooms devices have acknowledged: of all from from_seq to to_seq, but those of the account itself.
CREATE TABLE delivery_span (
  room_id         bigint NOT NULL,
  account_id      bigint NOT NULL,
  registration_id bigint NOT NULL,
  from_seq        bigint NOT NULL,
  to_seq          bigint NOT NULL,
  PRIMARY KEY (room_id, account_id, registration_id, from_seq)
) WITH (fillfactor = 70);

-- Which messages of sealed rooms no device of an account can get any more, and why: full | expired | removed | undecryptable.
-- Kept for a time. told: whether its sender was told, if it was there.
CREATE TABLE delivery_failure (
  room_id    bigint      NOT NULL,
  seq        bigint      NOT NULL,
  account_id bigint      NOT NULL,
  reason     text        NOT NULL,
  failed_at  timestamptz NOT NULL,
  told       boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (room_id, seq, account_id)
);
CREATE INDEX delivery_failure_untold ON delivery_failure (failed_at) WHERE NOT told;
CREATE INDEX delivery_failure_at ON delivery_failure (failed_at);

-- What could not be stored, or not be read by its device; kept for a time, for whoever looks for the fault.
-- account_id, device_id: whose it is. content: as it came, which only clients understand.
CREATE TABLE dead_letter (
  letter_id  bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  died_at    timestamptz NOT NULL DEFAULT now(),
  account_id bigint      NOT NULL,
  device_id  text        NOT NULL,
  room_id    bigint,
  client_id  text,
  reason     text        NOT NULL,
  content    text
);
CREATE INDEX dead_letter_at ON dead_letter (died_at);
