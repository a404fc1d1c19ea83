-- Whose invitations are memberships at once: everyone | shared_rooms | nobody.
ALTER TABLE account ADD COLUMN invites_from text NOT NULL DEFAULT 'everyone';

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

-- These take another argument now.
DROP FUNCTION IF EXISTS add_member;
DROP FUNCTION IF EXISTS create_room;
DROP FUNCTION IF EXISTS join_room;

-- Functions: 599ceb57b0bccf7df8f4aa4e67498d55b1bf6d6d2a8181e78d28782d0cc779e5
