-- What becomes of each account, in order, when somebody who may adds them to a locked room: member (it is one already)
-- | added | asked, or why it is none of these:
--   account_banned | blocked | no_account | asked_lately | many_invitations
-- The accounts are held. Nobody is added by whom they blocked; one room asks one account once a day.
-- asks_: whether an account that does not want to be added by the caller, or left by itself, is asked instead.
CREATE OR REPLACE FUNCTION addition_outcomes(room_ bigint, caller_ bigint, members_ bigint[], asks_ boolean)
RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT array_agg(CASE
      WHEN EXISTS (SELECT FROM room_member m WHERE m.room_id = room_ AND m.account_id = o.account_id) THEN 'member'
      WHEN EXISTS (SELECT FROM room_ban b WHERE b.room_id = room_ AND b.account_id = o.account_id)
        THEN 'account_banned'
      WHEN has_blocked(o.account_id, caller_) THEN 'blocked'
      WHEN NOT EXISTS (SELECT FROM account a WHERE a.account_id = o.account_id AND a.removed_at IS NULL)
        THEN 'no_account'
      WHEN NOT asks_ OR NOT must_be_asked(o.account_id, caller_) AND NOT has_left(room_, o.account_id) THEN 'added'
      WHEN is_invited(room_, o.account_id) THEN 'asked'
      WHEN EXISTS (SELECT FROM invitation i WHERE i.room_id = room_ AND i.account_id = o.account_id
                      AND i.ts > now() - interval '1 day') THEN 'asked_lately'
      WHEN has_many_invitations(ARRAY[o.account_id], caller_) THEN 'many_invitations'
      ELSE 'asked' END ORDER BY o.place)
    FROM unnest(members_) WITH ORDINALITY AS o (account_id, place));
END $$;
