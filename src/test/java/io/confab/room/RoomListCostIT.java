package io.confab.room;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A page of rooms reads what its rooms cost, however many there are on the server and before it,
/// and whatever PostgreSQL thinks of how many an account has.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomListCostIT {
  private static final int ROOMS = 40_000;

  /// A membership, its room, position, span and marker, the last message, what is deleted and who
  /// is mentioned, and the ways down to them.
  private static final int MOST_BUFFERS_A_ROOM = 30;

  private final TestDatabase postgres = TestDatabase.create();

  /// Account 1 is in one room of forty, account 2 in all.
  @BeforeAll
  void fill() {
    postgres.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          SELECT i, 'a' || i, 'A' FROM generate_series(1, 2) i;
        INSERT INTO room (room_id, type, name, member_count)
          SELECT i, 'group', 'r', 2 FROM generate_series(1, %1$d) i;
        INSERT INTO room_position (room_id, last_seq, last_rev)
          SELECT i, 20, 22 FROM generate_series(1, %1$d) i;
        INSERT INTO room_member (room_id, account_id, role, sees_all)
          SELECT i, 2, 'member', true FROM generate_series(1, %1$d) i
          UNION ALL
          SELECT i, 1, 'member', i %% 80 = 0 FROM generate_series(40, %1$d, 40) i;
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
          SELECT i, 1, 2, 3 FROM generate_series(40, %1$d, 40) i;
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT i, s, s + 2, s, 2, now(), 'c' || s, 'text', repeat('x', 80)
            FROM generate_series(40, %1$d, 40) i, generate_series(1, 20) s;
        ANALYZE;
        """
            .formatted(ROOMS));
  }

  @AfterAll
  void close() {
    postgres.close();
  }

  @ParameterizedTest
  @CsvSource({"1,-1,50", "1,-1,200", "1,20000,50", "1,36000,50", "2,-1,200", "2,36000,50"})
  void aPageCostsTheSameWhereverItLies(int account, long after, int limit) throws SQLException {
    assertThat(buffers(RoomStore.LIST, account, after, limit))
        .isBetween((long) limit, (long) limit * MOST_BUFFERS_A_ROOM);
  }

  @Test
  void whatIsCountedGrowsWithWhatIsRead() throws SQLException {
    String all = "SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint, count(body) FROM message";
    assertThat(buffers(all, 1, -1, 50)).isGreaterThan(50 * MOST_BUFFERS_A_ROOM / 4);
  }

  private long buffers(String sql, int account, long after, int limit) throws SQLException {
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE page (bigint, bigint, bigint, bigint) AS " + sql);
      try (ResultSet plan =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page (%d, %d, %d, 262144)"
                  .formatted(account, after, limit))) {
        plan.next();
        JsonObject top = new JsonArray(plan.getString(1)).getJsonObject(0).getJsonObject("Plan");
        return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
      }
    }
  }
}
