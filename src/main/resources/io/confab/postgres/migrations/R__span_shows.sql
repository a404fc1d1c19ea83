-- Whether one of the account's spans lets it see the message. Asked only about members who do not see
-- all of the room.
CREATE OR REPLACE FUNCTION span_shows(room_ bigint, account_ bigint, seq_ bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM member_span s
                  WHERE s.room_id = room_ AND s.account_id = account_ AND s.seen_from_seq <= seq_
                    AND (s.to_rev IS NULL OR seq_ <= s.seen_to_seq));
END $$;
