-- Whose invitations to a room this transaction made or closed. changed_: null where it was refused.
CREATE OR REPLACE FUNCTION told_invitations(room_ bigint, changed_ bigint) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN ARRAY(SELECT i.account_id FROM invitation i
                WHERE changed_ IS NOT NULL AND i.room_id = room_ AND i.changed_at = now()
                ORDER BY i.account_id);
END $$;
