-- Takes out what waits in queues that are dormant or have ended, so much at most, and answers how much; of those that have ended
-- goes what is empty. Of an account all queues are held meanwhile; one of which somebody else holds a queue is left for another
-- time, so twice as much is looked at, and twenty queues at least, however long the first ones are.
CREATE OR REPLACE FUNCTION drain_queues(most_ bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  owners_  bigint[];
  held_    bigint[];
  expired_ bigint[];
  removed_ bigint[];
  taken_   bigint;
BEGIN
  owners_ := ARRAY(
    SELECT DISTINCT d.account_id
      FROM (SELECT q.account_id, sum(q.last_seq - q.gone_seq) OVER before AS before, count(*) OVER before AS ahead
              FROM device_queue q WHERE q.dormant AND q.gone_seq < q.last_seq
            WINDOW before AS (ORDER BY q.registration_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
             ORDER BY q.registration_id LIMIT 2 * most_) d
     WHERE coalesce(d.before, 0) < 2 * most_ OR d.ahead < 20);
  IF owners_ = '{}' THEN
    RETURN 0;
  END IF;
  held_ := ARRAY(SELECT q.registration_id FROM device_queue q WHERE q.account_id = ANY (owners_)
                  ORDER BY q.registration_id FOR NO KEY UPDATE SKIP LOCKED);
  SELECT coalesce(array_agg(q.registration_id) FILTER (WHERE NOT q.ended), '{}'),
         coalesce(array_agg(q.registration_id) FILTER (WHERE q.ended), '{}')
    INTO expired_, removed_
    FROM device_queue q
   WHERE q.registration_id = ANY (held_) AND q.dormant
     AND NOT EXISTS (SELECT FROM (SELECT * FROM device_queue o WHERE o.account_id = q.account_id OFFSET 0) o
                      WHERE o.registration_id <> ALL (held_));
  taken_ := empty_queues(expired_, 'expired', most_);
  taken_ := taken_ + empty_queues(removed_, 'removed', most_ - taken_);
  DELETE FROM device_queue q WHERE q.registration_id = ANY (removed_) AND q.gone_seq = q.last_seq;
  RETURN taken_;
END $$;
