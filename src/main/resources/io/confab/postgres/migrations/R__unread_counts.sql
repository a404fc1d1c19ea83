-- What an account has not read in each of its rooms, as unread_at counts it.
CREATE OR REPLACE FUNCTION unread_counts(account_ bigint)
RETURNS TABLE (room_id bigint, unread bigint, mentions bigint)
LANGUAGE sql STABLE AS $$
  SELECT k.room_id, u.unread, u.mentions
    FROM marker k
    CROSS JOIN LATERAL unread_at(account_, k.room_id, least(k.read_seq, k.unread_from - 1), k.ordinal, k.own) u
   WHERE k.account_id = account_
$$;
