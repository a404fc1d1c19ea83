-- An invitation ends with its maker's right to give it.
DELETE FROM room_invite i
 WHERE NOT EXISTS (SELECT FROM room_member m
                    WHERE m.room_id = i.room_id AND m.account_id = i.made_by AND m.role IN ('owner', 'admin'));
CREATE INDEX room_invite_maker ON room_invite (room_id, made_by);

-- Whoever blocks holds the own account instead, as those do who bring it into a room.
DROP FUNCTION lock_pair;

-- Functions: 4a0b73d5d6e288e505a37f12e73f6dd4bfd97cb07d7c35cd918a81d5e82c56d9
