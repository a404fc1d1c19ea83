package io.confab.message;

import io.confab.postgres.Database;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.MessageType;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Accounts, rooms and changes made by SQL, and drafts for them.
public final class Chat {
  /// A test waits for locks for longer than a machine stands still.
  public static final Duration PATIENT = Duration.ofSeconds(30);

  private Chat() {}

  /// Accounts `from` to `to`, all members of `room`, which takes no number for them.
  public static String room(long room, String type, long from, long to) {
    String nameKey = type.equals("channel") ? "'c" + room + "'" : "NULL";
    return """
    INSERT INTO account (account_id, handle, display_name)
      SELECT a, 'a' || a, 'A' FROM generate_series(%2$d, %3$d) a ON CONFLICT DO NOTHING;
    INSERT INTO room (room_id, type, name, name_key, member_count)
      VALUES (%1$d, '%4$s', 'Room', %5$s, %3$d - %2$d + 1);
    INSERT INTO room_position (room_id) VALUES (%1$d);
    INSERT INTO room_member (room_id, account_id, role)
      SELECT %1$d, a, 'member' FROM generate_series(%2$d, %3$d) a;
    """
        .formatted(room, from, to, type, nameKey);
  }

  /// One change of a room, numbered under its lock.
  public static String change(long room, String kind, String data) {
    return """
    WITH p AS (UPDATE room_position SET last_rev = last_rev + 1 WHERE room_id = %d
               RETURNING room_id, last_rev, last_seq)
    INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data)
      SELECT room_id, last_rev, last_seq, '%s', 1, clock_timestamp(), '%s' FROM p;
    """
        .formatted(room, kind, data);
  }

  public static Draft draft(long room, long sender, String clientId) {
    return draft(room, sender, clientId, "said " + clientId);
  }

  public static Draft draft(long room, long sender, String clientId, String body) {
    return draft(room, sender, clientId, body, null);
  }

  public static Draft draft(
      long room, long sender, String clientId, String body, @Nullable Seq replyTo) {
    return new Draft(
        new RoomId(room),
        new AccountId(sender),
        new ClientId(clientId),
        MessageType.TEXT,
        body,
        replyTo,
        null);
  }

  public static MessageChange.Edit edit(
      long room, long seq, long caller, String clientId, String body) {
    return new MessageChange.Edit(
        new RoomId(room), new Seq(seq), new AccountId(caller), new ClientId(clientId), body);
  }

  public static MessageChange.Deletion deletion(long room, long seq, long caller) {
    return new MessageChange.Deletion(new RoomId(room), new Seq(seq), new AccountId(caller));
  }

  /// A connected log of a database.
  static AppendStore log(Database database) {
    AppendStore log = new AppendStore(database, Chat.PATIENT, TestConfig.queues());
    await(log.connect());
    return log;
  }

  public static Database database(Vertx vertx, PostgresUrl url) {
    return new Database(vertx, url, TestConfig.postgres());
  }

  public static <T> T await(Future<T> future) {
    return Futures.get(future);
  }

  /// What must hold of every database at rest; each entry is a query that counts offenders.
  public static final List<String> INVARIANTS =
      List.of(
          // Seqs are dense and the counter is right.
          """
          SELECT count(*) FROM room_position p WHERE p.last_seq <>
            (SELECT count(*) FROM message m WHERE m.room_id = p.room_id)
            OR p.last_seq <> (SELECT coalesce(max(seq), 0) FROM message m WHERE m.room_id = p.room_id)\
          """,
          // Revs are dense over messages and changes, and the counter is right.
          """
          SELECT count(*) FROM room_position p WHERE ROW(p.last_rev, p.last_rev, p.last_rev) <>
            (SELECT count(*), count(DISTINCT rev), coalesce(max(rev), 0) FROM
              (SELECT rev FROM message m WHERE m.room_id = p.room_id
               UNION ALL SELECT rev FROM room_change c WHERE c.room_id = p.room_id) r)\
          """,
          // Every message is counted once, in order.
          """
          SELECT count(*) FROM room_position p WHERE ROW(p.countable, p.countable, p.countable) <>
            (SELECT count(*), count(DISTINCT ordinal), coalesce(max(ordinal), 0) FROM message m
              WHERE m.room_id = p.room_id)
            OR EXISTS (SELECT FROM message m WHERE m.room_id = p.room_id AND m.ordinal > m.seq)\
          """,
          // No key without its message.
          """
          SELECT count(*) FROM send_key k LEFT JOIN message m ON m.room_id = k.room_id AND m.seq = k.seq
           WHERE k.seq > 0 AND m.sender_id IS DISTINCT FROM k.sender_id\
          """,
          // No message without its key, and no key for two.
          """
          SELECT count(*) FROM message m LEFT JOIN send_key k
            ON k.sender_id = m.sender_id AND k.room_id = m.room_id AND k.seq = m.seq AND k.rev IS NULL
           WHERE k.seq IS NULL
              OR k.client_key <> encode(substr(sha256(convert_to(m.client_id, 'UTF8')), 1, 16), 'hex')::uuid\
          """,
          // Order of seq, of rev and of time agree.
          """
          SELECT count(*) FROM (SELECT rev, ts, lag(rev) OVER w AS rev_, lag(ts) OVER w AS ts_ FROM message
            WINDOW w AS (PARTITION BY room_id ORDER BY seq)) m WHERE rev <= rev_ OR ts < ts_\
          """,
          // Every edit has its key and every such key its edit.
          """
          SELECT count(*)
            FROM (SELECT * FROM room_change WHERE kind = 'message.edited') c
            FULL JOIN (SELECT * FROM send_key WHERE rev IS NOT NULL) k
              ON k.room_id = c.room_id AND k.rev = c.rev
             AND k.seq = (c.data ->> 'seq')::bigint AND k.sender_id = c.actor_id
           WHERE c.rev IS NULL OR k.rev IS NULL\
          """,
          // A message knows its last change, and who deleted it and when.
          """
          SELECT count(*) FROM message m LEFT JOIN LATERAL (
            SELECT c.* FROM room_change c
             WHERE c.room_id = m.room_id AND c.kind IN ('message.edited', 'message.deleted')
               AND (c.data ->> 'seq')::bigint = m.seq ORDER BY c.rev DESC LIMIT 1) c ON true
           WHERE ROW(m.changed_rev, m.edited_at, m.deleted_at, m.deleted_by) IS DISTINCT FROM
             ROW(c.rev, CASE c.kind WHEN 'message.edited' THEN c.ts END,
                 CASE c.kind WHEN 'message.deleted' THEN c.ts END,
                 CASE c.kind WHEN 'message.deleted' THEN c.actor_id END)\
          """,
          // A tombstone says nothing, and nothing but a tombstone does.
          """
          SELECT count(*) FROM message m
           WHERE (m.deleted_at IS NULL AND m.msg_type <> 'sealed') <> (m.body IS NOT NULL)
            OR (m.deleted_at IS NOT NULL AND ROW(m.topic, m.reply_to, m.mentions) IS DISTINCT FROM ROW(NULL, NULL, NULL))\
          """,
          // The versions of a message are those that its edits ended: its first words and all but
          // the last edit.
          """
          SELECT count(*) FROM message m WHERE
            (SELECT coalesce(array_agg(v.rev || '/' || v.ts ORDER BY v.rev), '{}') FROM message_version v
              WHERE v.room_id = m.room_id AND v.seq = m.seq) <>
            CASE WHEN m.edited_at IS NULL THEN '{}' ELSE
              (SELECT array_agg(e.rev || '/' || e.ts ORDER BY e.rev) FROM (
                SELECT m.rev, m.ts UNION ALL
                SELECT c.rev, c.ts FROM room_change c
                 WHERE c.room_id = m.room_id AND c.kind = 'message.edited'
                   AND (c.data ->> 'seq')::bigint = m.seq AND c.rev < m.changed_rev) e) END\
          """,
          // Members know how many messages they sent since they joined.
          """
          SELECT count(*) FROM room_member r WHERE r.sent <>
            (SELECT count(*) FROM message m
              WHERE m.room_id = r.room_id AND m.sender_id = r.account_id AND m.rev >
                (SELECT coalesce(max(c.rev), 0) FROM room_change c
                  WHERE c.room_id = r.room_id AND c.kind = 'member.joined'
                    AND c.data ->> 'account_id' IN (id_text(r.account_id), r.account_id::text)))\
          """,
          // Who is mentioned stands at the message and by account, each once.
          """
          SELECT count(*)
            FROM (SELECT m.room_id, m.seq, m.sender_id, unnest(m.mentions) AS account_id FROM message m) m
            FULL JOIN mention n ON n.room_id = m.room_id AND n.seq = m.seq
             AND n.sender_id = m.sender_id AND n.account_id = m.account_id
           WHERE (n.seq IS NULL AND m.account_id >= 0) OR m.seq IS NULL\
          """,
          // What was said since a room is sealed is sealed and says nothing here, and nothing else
          // is.
          """
          SELECT count(*) FROM message m JOIN room r USING (room_id)
           WHERE (m.msg_type = 'sealed') <> coalesce(m.seq >= r.sealed_from_seq, false)
              OR m.msg_type = 'sealed' AND num_nonnulls(m.body, m.topic, m.reply_to, m.mentions, m.changed_rev) > 0\
          """,
          // What rooms are sealed, those who write know.
          """
          SELECT count(*) FROM room r JOIN room_position p USING (room_id)
           WHERE p.sealed <> (r.sealed_from_seq IS NOT NULL) OR p.envelopes < p.last_seq - r.sealed_from_seq + 1
              OR NOT p.sealed AND p.envelopes <> 0\
          """,
          // Mentions are told in order, to others than the sender.
          """
          SELECT count(*) FROM message m WHERE m.sender_id = ANY (m.mentions) OR m.mentions = '{}' OR m.mentions <>
            ARRAY(SELECT DISTINCT a FROM unnest(m.mentions) AS a ORDER BY a)\
          """,
          // A change knows how many messages there were.
          """
          SELECT count(*) FROM room_change c WHERE c.last_seq <>
            (SELECT count(*) FROM message m WHERE m.room_id = c.room_id AND m.rev < c.rev)\
          """);

  public static void assertInvariants(TestDatabase database) {
    INVARIANTS.forEach(
        offenders -> {
          long count = database.count(offenders);
          if (count != 0) {
            throw new AssertionError(count + " offenders: " + offenders);
          }
        });
  }

  static void execute(PostgresUrl url, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
