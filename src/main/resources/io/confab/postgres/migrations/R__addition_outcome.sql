-- What becomes of an account that is no member when somebody who may adds it to a locked room: added | asked, or why
-- it is neither:
--   account_banned | blocked | no_account | asked_lately | many_invitations
-- The account is held. Nobody is added by whom they blocked; one room asks one account once a day.
-- asks_: whether an account that does not want to be added by the caller, or left by itself, is asked instead.
CREATE OR REPLACE FUNCTION addition_outcome(room_ bigint, caller_ bigint, member_ bigint, asks_ boolean) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN EXISTS (SELECT FROM room_ban b WHERE b.room_id = room_ AND b.account_id = member_) THEN 'account_banned'
    WHEN has_blocked(member_, caller_) THEN 'blocked'
    WHEN NOT EXISTS (SELECT FROM account a WHERE a.account_id = member_ AND a.removed_at IS NULL) THEN 'no_account'
    WHEN NOT asks_ OR NOT must_be_asked(member_, caller_) AND NOT has_left(room_, member_) THEN 'added'
    WHEN is_invited(room_, member_) THEN 'asked'
    WHEN EXISTS (SELECT FROM invitation i WHERE i.room_id = room_ AND i.account_id = member_
                    AND i.ts > now() - interval '1 day') THEN 'asked_lately'
    WHEN has_many_invitations(ARRAY[member_], caller_) THEN 'many_invitations'
    ELSE 'asked' END;
END $$;
