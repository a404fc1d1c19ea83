-- The same as unread_counts of accounts in all of their rooms, counted message by message: what that must be equal to.
CREATE OR REPLACE FUNCTION unread_recounted(accounts bigint[])
RETURNS TABLE (account_id bigint, room_id bigint, unread bigint, mentions bigint)
LANGUAGE sql STABLE AS $$
  SELECT k.account_id, k.room_id, count(x.seq),
         count(x.seq) FILTER (WHERE EXISTS (SELECT FROM mention n
                 WHERE n.account_id = k.account_id AND n.room_id = x.room_id AND n.seq = x.seq)
               OR x.mentions && '{0}' AND NOT has_blocked(k.account_id, x.sender_id))
    FROM marker k
    CROSS JOIN LATERAL (SELECT * FROM room_member m
                         WHERE m.room_id = k.room_id AND m.account_id = k.account_id LIMIT 1) m
    LEFT JOIN message x ON x.room_id = k.room_id AND x.seq > least(k.read_seq, k.unread_from - 1)
                       AND x.sender_id <> k.account_id AND x.deleted_at IS NULL
                       AND (m.sees_all OR span_shows(k.room_id, k.account_id, x.seq))
   WHERE k.account_id = ANY (accounts)
   GROUP BY k.account_id, k.room_id
$$;
