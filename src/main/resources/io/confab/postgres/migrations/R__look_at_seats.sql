-- Compares the servers of Redis that a node sees with those that have the seats, and answers how things stand.
--   current, instances   the epoch, and which servers have the seats
--   raised_ms            how long ago the epoch was raised; null: never
--   away_ms              for how long nobody could say anything before that, from the first of several such times
--   resumed_ms           how long ago somebody saw the servers again after a while; null: never
-- seen: their run ids. known: the greatest epoch that the node has met; above the stored one, the database is an
-- older copy. sure: whether it has seen these servers before, so that they are not a passing mistake. whole: whether
-- these are all that are in charge of keys: who has a seat on one that is silent cannot check in there.
CREATE OR REPLACE FUNCTION look_at_seats(
  seen text[], known bigint, sure boolean, whole boolean,
  OUT current bigint, OUT instances text[], OUT raised_ms bigint, OUT away_ms bigint, OUT resumed_ms bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  s    seat_epoch;
  now_ timestamptz := clock_timestamp();
  -- For how long nobody could say anything until now. From the beginning of a former such time, if nobody could lose
  -- anything to others between the two: for 15 s after a loss nobody is let in, for 20 s after silence nobody is late.
  -- The servers may have been seen 3 s longer than is noted.
  mute bigint;
  last timestamptz;
BEGIN
  SELECT * INTO s FROM seat_epoch;
  IF s.epoch < known OR s.instances IS NULL OR sure AND NOT seen <@ s.instances
     OR whole AND seen <@ s.instances AND s.seen_at < now_ - interval '2 s' THEN
    -- A statement of its own, which sees what was committed while the row was waited for.
    SELECT * INTO s FROM seat_epoch FOR UPDATE;
    now_ := clock_timestamp();
    mute := greatest(0, extract(epoch FROM now_ - s.seen_at) * 1000);
    last := greatest(s.raised_at, s.resumed_at);
    IF s.seen_at - last < (CASE WHEN s.raised_at = last THEN interval '12 s' ELSE interval '17 s' END) THEN
      mute := s.away_ms + extract(epoch FROM now_ - last) * 1000;
    END IF;
    IF s.epoch < known OR sure AND NOT seen <@ s.instances THEN
      s.epoch := greatest(s.epoch, known) + 1;
      s.raised_at := now_;
      s.away_ms := mute;
      s.instances := seen;
    ELSIF s.instances IS NULL THEN
      s.instances := seen;
    ELSIF whole AND seen <@ s.instances AND s.seen_at < now_ - interval '8 s' THEN
      s.away_ms := mute;
      s.resumed_at := now_;
      IF s.raised_at > s.seen_at - interval '15 s' THEN
        s.raised_at := now_; -- nobody could claim anything in what was left of the pause
      END IF;
    END IF;
    IF whole AND seen <@ s.instances THEN
      s.seen_at := now_;
    END IF;
    UPDATE seat_epoch e
       SET epoch = s.epoch, instances = s.instances, raised_at = s.raised_at, away_ms = s.away_ms,
           seen_at = s.seen_at, resumed_at = s.resumed_at;
  END IF;
  current := s.epoch;
  instances := s.instances;
  away_ms := s.away_ms;
  raised_ms := extract(epoch FROM now_ - s.raised_at) * 1000;
  resumed_ms := extract(epoch FROM now_ - s.resumed_at) * 1000;
END $$;
