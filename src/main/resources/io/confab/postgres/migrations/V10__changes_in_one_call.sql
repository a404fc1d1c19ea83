-- Each change of a room is one call (docs/adr/0027). A removed account whose memberships have not ended yet is
-- marked, so that another node ends them when the one that began is gone.
ALTER TABLE account ADD COLUMN leaving boolean NOT NULL DEFAULT false;
UPDATE account a SET leaving = true
 WHERE a.removed_at IS NOT NULL AND EXISTS (SELECT FROM room_member m WHERE m.account_id = a.account_id);
CREATE INDEX account_leaving ON account (account_id) WHERE leaving;
