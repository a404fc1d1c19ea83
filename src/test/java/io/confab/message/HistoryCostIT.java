package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A page of history reads as many buffers of a long room as of a short one, wherever it lies.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryCostIT {
  private static final int LAST = 200_000;
  private static final int PAGE = 50;

  /// Fifty rows on at most as many pages, and the way down to them in a few indexes.
  private static final int MOST_BUFFERS = 120;

  private final TestDatabase postgres = TestDatabase.create();

  /// Account 1 sees all, account 2 two spans of it.
  @BeforeAll
  void fill() {
    postgres.execute(
        Chat.room(1, "group", 1, 2)
            + """
            INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
              SELECT 1, i, i, i, 1, now(), 'c' || i, 'text', repeat('x', 80)
                FROM generate_series(1, %1$d) i;
            UPDATE room_position SET last_seq = %1$d, last_rev = %1$d;
            UPDATE room_member SET sees_all = false WHERE account_id = 2;
            INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq, to_rev, seen_to_seq)
              VALUES (1, 2, 100, 100, 90000, 90000), (1, 2, 150000, 150000, NULL, NULL);
            ANALYZE;
            """
                .formatted(LAST));
  }

  @AfterAll
  void close() {
    postgres.close();
  }

  static Stream<Arguments> pages() {
    return Stream.of(1, 2)
        .flatMap(
            account ->
                Stream.of(200L, 60_000L, 160_000L, (long) LAST, Long.MAX_VALUE)
                    .flatMap(
                        seq ->
                            Stream.of(
                                    HistoryStore.READ_BEFORE,
                                    HistoryStore.READ_AFTER,
                                    HistoryStore.READ_AROUND)
                                .map(sql -> Arguments.of(account, seq, sql))));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageCostsTheSameWhereverItLies(int account, long seq, String sql) throws SQLException {
    assertThat(buffers(sql, account, seq)).isLessThan(MOST_BUFFERS);
  }

  @Test
  void whatIsCountedGrowsWithWhatIsRead() throws SQLException {
    String whole = "SELECT $1::bigint, $2::bigint, $3::bigint, $4::int, count(body) FROM message";
    assertThat(buffers(whole, 1, 1)).isGreaterThan(MOST_BUFFERS);
  }

  private long buffers(String sql, int account, long seq) throws SQLException {
    boolean around = sql.contains("$5");
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute(
          "PREPARE page (bigint, bigint, bigint, int%s) AS ".formatted(around ? ", int" : "")
              + sql);
      String sizes = around ? PAGE / 2 + ", " + PAGE / 2 : String.valueOf(PAGE);
      try (ResultSet plan =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page (1, %d, %d, %s)"
                  .formatted(account, seq, sizes))) {
        plan.next();
        JsonObject top = new JsonArray(plan.getString(1)).getJsonObject(0).getJsonObject("Plan");
        return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
      }
    }
  }
}
