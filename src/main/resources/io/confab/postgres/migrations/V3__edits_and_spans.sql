-- A message can be edited, and deleted down to a tombstone: number, sender and time stay.
-- changed_rev: rev of the last edit or of the deletion.
ALTER TABLE message
  ALTER COLUMN body DROP NOT NULL,
  ADD COLUMN changed_rev bigint,
  ADD COLUMN edited_at   timestamptz,
  ADD COLUMN deleted_at  timestamptz,
  ADD COLUMN deleted_by  bigint;

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

-- rev: that of an edit, null for a send.
ALTER TABLE send_key ADD COLUMN rev bigint;

-- seen_to_seq: the last message that an ended span lets the former member see; null while it lasts.
ALTER TABLE member_span ADD COLUMN seen_to_seq bigint;
UPDATE member_span s SET seen_to_seq = c.last_seq
  FROM room_change c WHERE c.room_id = s.room_id AND c.rev = s.to_rev;

-- Whether all of the room is there for the member to see: then its spans need not be looked at.
ALTER TABLE room_member ADD COLUMN sees_all boolean NOT NULL DEFAULT true;
UPDATE room_member m SET sees_all = false
  FROM member_span s
 WHERE s.room_id = m.room_id AND s.account_id = m.account_id AND s.to_rev IS NULL AND s.seen_from_seq > 1;
