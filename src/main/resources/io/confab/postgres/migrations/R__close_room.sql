-- Archives a locked room, for ever.
CREATE OR REPLACE FUNCTION close_room(room_ bigint, actor_ bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE room r SET archived_at = now() WHERE r.room_id = room_;
  PERFORM tell_room(room_, actor_, 'room.archived', '{}');
END $$;
