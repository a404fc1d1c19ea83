package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What an account with very many rooms has not read is told with a total, for which each of its
/// rooms is looked at by key, once for all that is asked about it.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadCostIT {
  private static final int ROOMS = 20_000;
  private static final int OWN_ROOMS = 1_000;

  /// Of a room in which nothing is unread: a marker, a position, and the ways down to them.
  private static final int MOST_BUFFERS_READ = 5;

  /// Of one with something unread: a membership and what is deleted besides.
  private static final int MOST_BUFFERS_UNREAD = 14;

  private final TestDatabase postgres = TestDatabase.create();

  /// Accounts 1 and 2 are in one room of twenty, account 3 in all. Account 1 has read all, account
  /// 2 nothing, of which each fifth message is its own, and each fifth one of the others deleted.
  @BeforeAll
  void fill() {
    postgres.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          SELECT i, 'a' || i, 'A' FROM generate_series(1, 3) i;
        INSERT INTO room (room_id, type, name, member_count)
          SELECT i, 'group', 'r', 3 FROM generate_series(1, %1$d) i;
        INSERT INTO room_position (room_id) SELECT i FROM generate_series(1, %1$d) i;
        INSERT INTO room_member (room_id, account_id, role, sees_all)
          SELECT i, 3, 'member', true FROM generate_series(1, %1$d) i
          UNION ALL SELECT i, a, 'member', true FROM generate_series(20, %1$d, 20) i, generate_series(1, 2) a;
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body, deleted_at)
          SELECT i, s, s, s, CASE WHEN s %% 5 = 0 THEN 2 ELSE 3 END, now(), 'c' || s, 'text',
                 CASE WHEN s %% 5 = 1 THEN NULL ELSE 'x' END, CASE WHEN s %% 5 = 1 THEN now() END
            FROM generate_series(20, %1$d, 20) i, generate_series(1, 20) s;
        UPDATE room_position SET last_seq = 20, last_rev = 20, countable = 20 WHERE room_id %% 20 = 0;
        UPDATE room_member SET sent = CASE account_id WHEN 2 THEN 4 WHEN 3 THEN 16 ELSE 0 END
          WHERE room_id %% 20 = 0;
        UPDATE marker SET read_seq = 20, delivered_seq = 20, ordinal = 20
          WHERE account_id = 1 AND room_id %% 20 = 0;
        ANALYZE;
        """
            .formatted(ROOMS));
  }

  @AfterAll
  void close() {
    postgres.close();
  }

  private static String news(int account, String rooms) {
    return "EXECUTE news (array_fill(%1$d::bigint, ARRAY[cardinality(%2$s)]), %2$s, NULL::bigint[])"
        .formatted(account, rooms);
  }

  private interface Ask<T> {
    T of(Statement statement) throws SQLException;
  }

  private <T> T asked(Ask<T> question) throws SQLException {
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
      statement.execute(
          "PREPARE news (bigint[], bigint[], bigint[]) AS SELECT * FROM unread_news($1, $2, $3)");
      return question.of(statement);
    }
  }

  private long buffers(int account, String rooms) throws SQLException {
    return asked(
        statement -> {
          try (ResultSet plan =
              statement.executeQuery(
                  "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + news(account, rooms))) {
            plan.next();
            JsonObject top =
                new JsonArray(plan.getString(1)).getJsonObject(0).getJsonObject("Plan");
            return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
          }
        });
  }

  @Test
  void aTotalOfRoomsThatAreReadCostsTheirPositions() throws SQLException {
    assertThat(buffers(1, "ARRAY[20::bigint]"))
        .isBetween((long) OWN_ROOMS, (long) OWN_ROOMS * MOST_BUFFERS_READ);
  }

  @Test
  void aTotalOfRoomsWithSomethingUnreadCostsTheSameInEach() throws SQLException {
    assertThat(buffers(2, "ARRAY[20::bigint]"))
        .isBetween((long) OWN_ROOMS, (long) OWN_ROOMS * MOST_BUFFERS_UNREAD);
  }

  @Test
  void theTotalIsTakenOnceForAllThatIsAskedAboutAnAccount() throws SQLException {
    long one = buffers(2, "ARRAY[20::bigint]");
    long ten = buffers(2, "'{20, 40, 60, 80, 100, 120, 140, 160, 180, 200}'::bigint[]");
    assertThat(ten).isLessThan(one + one / 2);
  }

  @Test
  void theTotalIsTheSumOfWhatIsUnreadMessageByMessage() throws SQLException {
    for (int account = 1; account <= 3; account++) {
      int who = account;
      long total =
          asked(statement -> number(statement, news(who, "ARRAY[20::bigint, 20, 40]"), "total", 2));
      long counted =
          asked(
              statement ->
                  number(
                      statement,
                      "SELECT sum(unread) AS n FROM unread_recounted(ARRAY[%d::bigint])"
                          .formatted(who),
                      "n",
                      1));
      assertThat(total).isEqualTo(counted).isEqualTo(who == 1 ? 0 : who == 2 ? 12_000 : 4_000);
    }
  }

  private static long number(Statement statement, String sql, String column, int rows)
      throws SQLException {
    try (ResultSet found = statement.executeQuery(sql)) {
      long number = 0;
      int count = 0;
      while (found.next()) {
        number = found.getLong(column);
        count++;
      }
      assertThat(count).as(sql).isEqualTo(rows);
      return number;
    }
  }
}
