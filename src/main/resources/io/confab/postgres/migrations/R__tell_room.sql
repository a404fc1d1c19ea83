-- Adds a change to the log of a locked room, under its next rev.
-- data_: the fields that are of this kind, as they stand on the wire.
-- left_id_, left_reason_: whose membership ended, where data_ does not say it.
CREATE OR REPLACE FUNCTION tell_room(
  room_ bigint, actor_ bigint, kind_ text, data_ jsonb, left_id_ bigint DEFAULT NULL, left_reason_ text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  WITH moved AS (
    UPDATE room_position p
       SET last_rev = p.last_rev + 1, archived = p.archived OR kind_ = 'room.archived',
           capped = p.capped AND kind_ <> 'room.archived', inside_only = p.inside_only AND kind_ <> 'room.archived'
     WHERE p.room_id = room_ RETURNING p.last_rev, p.last_seq)
  INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data, left_id, left_reason)
  SELECT room_, m.last_rev, m.last_seq, kind_, actor_, date_trunc('milliseconds', clock_timestamp()), data_,
         left_id_, left_reason_
    FROM moved m;
END $$;
