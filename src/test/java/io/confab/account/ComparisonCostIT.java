package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What it costs PostgreSQL to say of 1,000 accounts whether they changed: as much in however many
/// rooms they are.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComparisonCostIT {
  private static final int ACCOUNTS = 1_000;
  private static final int ROOMS = 100;

  private final TestDatabase postgres = TestDatabase.create();

  @BeforeAll
  void fill() {
    postgres.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          SELECT i, 'h' || i, 'n' FROM generate_series(1, %1$d) i;
        INSERT INTO room (room_id, type, name, member_count)
          SELECT r, 'group', 'r', 0 FROM generate_series(1, %2$d) r;
        INSERT INTO room_member (room_id, account_id, role)
          SELECT r, i, 'member' FROM generate_series(1, %2$d) r, generate_series(1, %1$d) i;
        ANALYZE;
        """
            .formatted(ACCOUNTS, ROOMS));
  }

  @AfterAll
  void close() {
    postgres.close();
  }

  @Test
  void oneRowIsReadForEachAccount() throws SQLException {
    assertThat(buffers(AccountStatusStore.COUNT_CHANGES)).isLessThan(4 * ACCOUNTS);
  }

  @Test
  void readingTheirRoomsCostsManyTimesThat() throws SQLException {
    String rooms =
        "SELECT m.room_id FROM unnest($1::bigint[]) AS asked (account_id)"
            + " JOIN LATERAL (SELECT room_id FROM room_member r"
            + " WHERE r.account_id = asked.account_id OFFSET 0) m ON true";
    assertThat(buffers(rooms)).isGreaterThan(4 * ACCOUNTS);
  }

  private long buffers(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE counted (bigint[]) AS " + sql);
      try (ResultSet plan =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE counted ('{%s}')"
                  .formatted(
                      IntStream.rangeClosed(1, ACCOUNTS)
                          .mapToObj(String::valueOf)
                          .collect(Collectors.joining(","))))) {
        plan.next();
        JsonObject top = new JsonArray(plan.getString(1)).getJsonObject(0).getJsonObject("Plan");
        return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
      }
    }
  }
}
