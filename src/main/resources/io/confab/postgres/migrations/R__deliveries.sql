-- What became of an account's own messages in a sealed room, from one on, so many at most, at every other account: runs of them
-- that a device of it acknowledged, the last of these that it has read, with all of these before, and which it cannot get. Of
-- whom the account may not see whether it is there only the last is told; of who reads privately, not what it has read.
--
-- A marker covers what its account never got, and begins at the newest message: it says something of what was delivered alone,
-- and nothing where the first of that is older than the membership.
CREATE OR REPLACE FUNCTION deliveries(room_ bigint, account_ bigint, from_ bigint, most_ bigint)
RETURNS TABLE (account_id bigint, from_seq bigint, to_seq bigint, read_seq bigint, failed_seq bigint, reason text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH own AS MATERIALIZED (
      SELECT m.seq, row_number() OVER (ORDER BY m.seq) AS n
        FROM (SELECT m.seq FROM message m
               WHERE m.room_id = room_ AND m.seq >= from_ AND m.sender_id = account_ AND m.msg_type = 'sealed'
               ORDER BY m.seq LIMIT most_) m),
    span AS MATERIALIZED (
      SELECT s.account_id, s.from_seq, s.to_seq FROM delivery_span s
       WHERE s.room_id = room_ AND s.account_id <> account_ AND s.to_seq >= from_),
    seen AS MATERIALIZED (
      SELECT a.account_id FROM (SELECT DISTINCT s.account_id FROM span s) a
       WHERE NOT presence_hidden(a.account_id, account_)),
    delivered AS (
      SELECT DISTINCT s.account_id, o.seq, o.n
        FROM span s JOIN seen e USING (account_id) JOIN own o ON o.seq BETWEEN s.from_seq AND s.to_seq),
    reader AS (
      SELECT d.account_id, k.read_seq
        FROM (SELECT d.account_id, min(d.seq) AS first FROM delivered d GROUP BY d.account_id) d
        CROSS JOIN LATERAL (SELECT * FROM marker k WHERE k.account_id = d.account_id AND k.room_id = room_ LIMIT 1) k
        CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = d.account_id LIMIT 1) a
       WHERE NOT a.private_reading
         AND EXISTS (SELECT FROM member_span s
                      WHERE s.room_id = room_ AND s.account_id = d.account_id AND s.to_rev IS NULL
                        AND s.from_rev < (SELECT m.rev FROM message m WHERE m.room_id = room_ AND m.seq = d.first)))
    SELECT d.account_id, min(d.seq), max(d.seq), NULL::bigint, NULL::bigint, NULL::text
      FROM (SELECT d.*, d.n - row_number() OVER (PARTITION BY d.account_id ORDER BY d.seq) AS run FROM delivered d) d
     GROUP BY d.account_id, d.run
    UNION ALL
    SELECT d.account_id, NULL, NULL, max(d.seq), NULL, NULL
      FROM reader r JOIN delivered d ON d.account_id = r.account_id AND d.seq <= r.read_seq
     GROUP BY d.account_id
    UNION ALL
    SELECT f.account_id, NULL, NULL, NULL, f.seq, f.reason
      FROM own o CROSS JOIN LATERAL (SELECT * FROM delivery_failure f WHERE f.room_id = room_ AND f.seq = o.seq OFFSET 0) f
     ORDER BY 1, 2, 5;
END $$;
