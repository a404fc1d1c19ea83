-- Archives a locked room, for ever; nobody is asked to join it any more.
CREATE OR REPLACE FUNCTION close_room(room_ bigint, actor_ bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room r SET archived_at = now() WHERE r.room_id = room_;
  UPDATE invitation i SET open = false, changed_at = now() WHERE i.room_id = room_ AND i.open;
  PERFORM tell_room(room_, actor_, 'room.archived', '{}');
END $$;
