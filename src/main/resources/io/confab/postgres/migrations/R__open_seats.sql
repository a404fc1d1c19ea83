-- Whether the seats of a room may be set up in Redis, where a node did not find them:
--   first     in this epoch nobody has, or long ago, and they were not used since
--   lost      somebody has: Redis has lost them
--   later     somebody is about to, a moment ago
--   stale     the epoch is another one by now
--   uncapped  there is no such room, or it has no capacity (any more: archiving ends it)
-- opening_: the how manieth setting up it is. capacity_, rev_: as of that rev. capped_rev_: as of room.
CREATE OR REPLACE FUNCTION open_seats(
  room_ bigint, epoch_ bigint, OUT verdict text, OUT opening_ bigint, OUT capacity_ integer, OUT rev_ bigint,
  OUT capped_rev_ bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  r    room_seats;
  now_ timestamptz := clock_timestamp();
BEGIN
  SELECT CASE WHEN NOT p.archived THEN o.capacity END, p.last_rev, o.capped_rev INTO capacity_, rev_, capped_rev_
    FROM room o JOIN room_position p USING (room_id) WHERE o.room_id = room_;
  verdict := CASE WHEN capacity_ IS NULL THEN 'uncapped'
                  WHEN epoch_ <> (SELECT e.epoch FROM seat_epoch e) THEN 'stale' END;
  IF verdict IS NOT NULL THEN
    RETURN;
  END IF;
  INSERT INTO room_seats (room_id, seat_epoch) VALUES (room_, epoch_) ON CONFLICT (room_id) DO NOTHING;
  IF FOUND THEN
    verdict := 'first';
    opening_ := 1;
    RETURN;
  END IF;
  SELECT * INTO r FROM room_seats s WHERE s.room_id = room_ FOR UPDATE;
  verdict := CASE WHEN r.seat_epoch > epoch_ THEN 'stale'
                  WHEN r.seat_epoch < epoch_ OR r.used_at < now_ - interval '24 h' THEN 'first'
                  WHEN r.opened_at > now_ - interval '2 s' THEN 'later'
                  ELSE 'lost' END;
  IF verdict IN ('first', 'lost') THEN
    UPDATE room_seats s SET seat_epoch = epoch_, opening = r.opening + 1, opened_at = now_, used_at = now_
     WHERE s.room_id = room_;
    opening_ := r.opening + 1;
  END IF;
END $$;
