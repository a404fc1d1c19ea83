-- Asks accounts to join a locked room; one that is asked already stays so. The accounts are held.
CREATE OR REPLACE FUNCTION ask_members(room_ bigint, by_ bigint, accounts_ bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO invitation (room_id, account_id, invited_by)
    SELECT room_, a.account_id, by_ FROM unnest(accounts_) a (account_id)
     WHERE NOT is_invited(room_, a.account_id)
    ON CONFLICT (account_id, room_id) DO UPDATE
      SET invited_by = excluded.invited_by, ts = now(), open = true, changed_at = now();
END $$;
