-- Milliseconds until a member may speak again, at least 1. The room is locked.
CREATE OR REPLACE FUNCTION silence_ms(room_ bigint, account_ bigint, now_ timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(1, ceil(extract(epoch FROM greatest(
           m.muted_until,
           CASE WHEN m.role = 'member' THEN m.last_sent_at + p.slow_mode_s * interval '1 second' END) - now_)
         * 1000))::bigint
    FROM room_member m JOIN room_position p USING (room_id)
   WHERE m.room_id = room_ AND m.account_id = account_
$$;
