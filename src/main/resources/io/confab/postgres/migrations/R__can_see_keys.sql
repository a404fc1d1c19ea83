-- Those of these accounts whose devices with keys somebody may see: itself, and the people in sealed rooms with it. Not in
-- a direct room in which one blocked the other. Costs what the rooms of the viewer, and those of each account, do.
CREATE OR REPLACE FUNCTION can_see_keys(viewer_ bigint, accounts_ bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  WITH sealed AS MATERIALIZED (
    SELECT m.room_id FROM room_member m
      CROSS JOIN LATERAL (SELECT FROM room r
                           WHERE r.room_id = m.room_id AND r.encryption_suite IS NOT NULL LIMIT 1) r
      CROSS JOIN LATERAL (SELECT FROM room_position p WHERE p.room_id = m.room_id AND NOT p.blocked LIMIT 1) p
     WHERE m.account_id = viewer_)
  SELECT a.account_id FROM (SELECT DISTINCT d.account_id FROM unnest(accounts_) AS d (account_id)) AS a
   WHERE a.account_id = viewer_
      OR EXISTS (SELECT FROM (SELECT m.room_id FROM room_member m WHERE m.account_id = a.account_id OFFSET 0) m
                  WHERE m.room_id IN (SELECT s.room_id FROM sealed s))
$$;
