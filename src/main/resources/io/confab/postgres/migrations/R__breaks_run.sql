-- Whether a run of messages of a room that a device acknowledged ends at before_ (null: there was none), seq_ being what it
-- acknowledged next: unless in between lie messages of the account itself alone, or nothing; a thousand of them are looked at.
CREATE OR REPLACE FUNCTION breaks_run(room_ bigint, account_ bigint, before_ bigint, seq_ bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN before_ IS NULL OR seq_ - before_ > 1000
      OR EXISTS (SELECT FROM message m
                  WHERE m.room_id = room_ AND m.seq > before_ AND m.seq < seq_ AND m.sender_id <> account_);
END $$;
