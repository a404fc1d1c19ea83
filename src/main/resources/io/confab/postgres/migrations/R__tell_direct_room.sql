-- Notes a block, or its end, in the direct room of the two, whose lock is taken here: a message has a
-- number if and only if it came before the block. What the blocked one asked the other to join is off.
CREATE OR REPLACE FUNCTION tell_direct_room() RETURNS trigger
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  pair  block := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  room_ bigint;
BEGIN
  SELECT r.room_id INTO room_ FROM room r
   WHERE r.direct_low = least(pair.account_id, pair.blocked_id)
     AND r.direct_high = greatest(pair.account_id, pair.blocked_id);
  IF FOUND THEN
    PERFORM 1 FROM room_position p WHERE p.room_id = room_ FOR NO KEY UPDATE;
    UPDATE room_position p SET blocked = is_blocked(pair.account_id, pair.blocked_id) WHERE p.room_id = room_;
  END IF;
  IF TG_OP = 'INSERT' THEN
    UPDATE invitation i SET open = false, changed_at = now()
     WHERE i.account_id = pair.account_id AND i.invited_by = pair.blocked_id AND i.open;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_direct_room AFTER INSERT OR DELETE ON block
FOR EACH ROW EXECUTE FUNCTION tell_direct_room();
