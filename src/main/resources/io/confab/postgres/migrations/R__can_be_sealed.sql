-- Whether a room with these accounts besides its members has few enough of them, and of their devices, to be sealed.
CREATE OR REPLACE FUNCTION can_be_sealed(room_ bigint, joining_ bigint[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT r.member_count + cardinality(joining_) <= 256
     AND (SELECT count(*)
            FROM (SELECT m.account_id FROM room_member m WHERE m.room_id = room_
                  UNION ALL SELECT j.account_id FROM unnest(joining_) AS j (account_id)) a
            CROSS JOIN LATERAL (SELECT FROM device_queue q WHERE q.account_id = a.account_id AND NOT q.ended OFFSET 0) q) <= 1000
    FROM room r WHERE r.room_id = room_
$$;
