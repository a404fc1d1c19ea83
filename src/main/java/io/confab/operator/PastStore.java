package io.confab.operator;

import io.confab.postgres.EpochStore;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.RoomId;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Moves rooms of the demo world back in time, as the owner of the schema: their messages, edits,
/// deletions and joinings keep their numbers and get earlier times, which grow with the numbers.
/// Only the process that makes the world has it; neither an API nor the management port reaches it.
///
/// All is one transaction, in which the epoch is raised: what nodes, Redis and clients know of
/// former times is read anew, as after a restore.
public final class PastStore {
  private static final Duration BEFORE_THE_FIRST = Duration.ofHours(1);

  private static final String IS_NEW =
      """
      SELECT p.last_seq = ? AND r.created_at > ?
        FROM room_position p JOIN room r USING (room_id) WHERE p.room_id = ? FOR UPDATE OF p, r
      """;

  private static final String TIMES =
      "CREATE TEMPORARY TABLE past (room_id bigint, rev bigint, ts timestamptz) ON COMMIT DROP";

  /// Parameters: the room; when it was made and then the time of each message. A change stands some
  /// seconds behind the message before it; one behind the last message keeps its time.
  private static final String PLACE =
      """
      WITH said AS (
        SELECT ?::bigint AS room_id, t.place - 1 AS seq, t.ts
          FROM unnest(?::timestamptz[]) WITH ORDINALITY t (ts, place))
      INSERT INTO past (room_id, rev, ts)
      SELECT m.room_id, m.rev, s.ts FROM said s JOIN message m USING (room_id, seq)
      UNION ALL
      SELECT c.room_id, c.rev,
             date_trunc('milliseconds',
                        s.ts + c.place * least((next.ts - s.ts) / (c.places + 1), interval '20 s'))
        FROM (SELECT room_id, rev, last_seq AS seq,
                     row_number() OVER (PARTITION BY room_id, last_seq ORDER BY rev) AS place,
                     count(*) OVER (PARTITION BY room_id, last_seq) AS places
                FROM room_change WHERE room_id = ?) c
        JOIN said s USING (room_id, seq) JOIN said next ON next.seq = s.seq + 1
      """;

  private static final List<String> MOVE =
      List.of(
          """
          UPDATE message m SET ts = p.ts FROM past p
           WHERE m.room_id = p.room_id AND m.rev = p.rev
          """,
          """
          UPDATE message m
             SET edited_at = CASE WHEN m.edited_at IS NOT NULL THEN p.ts END,
                 deleted_at = CASE WHEN m.deleted_at IS NOT NULL THEN p.ts END
            FROM past p WHERE m.room_id = p.room_id AND m.changed_rev = p.rev
          """,
          """
          UPDATE message_version v SET ts = p.ts FROM past p
           WHERE v.room_id = p.room_id AND v.rev = p.rev
          """,
          """
          UPDATE room_change c SET ts = p.ts FROM past p
           WHERE c.room_id = p.room_id AND c.rev = p.rev
          """,
          """
          UPDATE room_member m SET joined_at = p.ts
            FROM member_span s JOIN past p ON p.room_id = s.room_id AND p.rev = s.from_rev
           WHERE m.room_id = s.room_id AND m.account_id = s.account_id AND s.to_rev IS NULL
          """,
          "UPDATE instance SET epoch = next_epoch(epoch, 0)");

  private final PostgresLogins logins;
  private final EpochStore epochs;

  public PastStore(PostgresLogins logins, EpochStore epochs) {
    this.logins = logins;
    this.epochs = epochs;
  }

  /// Blocks. A room stays as it is if it holds more messages than there are times, so that others
  /// have spoken there, or if it is older than the first time, so that it was moved before.
  ///
  /// @param times of the messages of a room, in the order of their numbers; the last one is that
  ///     which the message has
  public void move(Map<RoomId, List<Instant>> times) throws IOException {
    try (Connection connection = logins.owner().connect(PostgresUrl.QUESTION)) {
      connection.setAutoCommit(false);
      if (place(connection, times)) {
        for (String step : MOVE) {
          run(connection, step);
        }
      }
      connection.commit();
    } catch (SQLException failure) {
      throw new IOException("its rooms have no past: " + failure.getMessage(), failure);
    }
    epochs.stored().await();
  }

  /// Whether a room is to be moved.
  private static boolean place(Connection connection, Map<RoomId, List<Instant>> times)
      throws SQLException {
    run(connection, TIMES);
    boolean some = false;
    for (Map.Entry<RoomId, List<Instant>> room : new TreeMap<>(times).entrySet()) {
      if (isNew(connection, room.getKey(), room.getValue())) {
        place(connection, room.getKey(), room.getValue());
        some = true;
      }
    }
    return some;
  }

  private static boolean isNew(Connection connection, RoomId room, List<Instant> times)
      throws SQLException {
    try (PreparedStatement question = connection.prepareStatement(IS_NEW)) {
      question.setLong(1, times.size());
      question.setTimestamp(2, Timestamp.from(times.getFirst()));
      question.setLong(3, room.value());
      try (ResultSet answer = question.executeQuery()) {
        return answer.next() && answer.getBoolean(1);
      }
    }
  }

  private static void place(Connection connection, RoomId room, List<Instant> times)
      throws SQLException {
    Instant made = times.getFirst().minus(BEFORE_THE_FIRST);
    List<String> all = new ArrayList<>(List.of(made.toString()));
    times.forEach(time -> all.add(time.toString()));
    Array array = connection.createArrayOf("text", all.toArray());
    try (PreparedStatement placing = connection.prepareStatement(PLACE);
        PreparedStatement making =
            connection.prepareStatement("UPDATE room SET created_at = ? WHERE room_id = ?")) {
      placing.setLong(1, room.value());
      placing.setArray(2, array);
      placing.setLong(3, room.value());
      placing.executeUpdate();
      making.setTimestamp(1, Timestamp.from(made));
      making.setLong(2, room.value());
      making.executeUpdate();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
