-- Whether slow mode lets a row of a group through: time has passed since the member's last message, and no
-- row before it in the group is another new one of the same member. Asked only about members of slow rooms.
CREATE OR REPLACE FUNCTION pace_allows(
  i_ bigint, last_sent_at timestamptz, slow_mode_s integer, now_ timestamptz,
  room_ids bigint[], sender_ids bigint[], client_keys uuid[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF last_sent_at + slow_mode_s * interval '1 second' > now_ THEN
    RETURN false;
  END IF;
  RETURN NOT EXISTS (
    SELECT FROM unnest(room_ids, sender_ids, client_keys)
             WITH ORDINALITY AS d (room_id, sender_id, client_key, i)
     WHERE d.i < i_ AND d.room_id = room_ids[i_] AND d.sender_id = sender_ids[i_]
       AND (SELECT true FROM send_key k
             WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key) IS NULL);
END $$;
