package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Plans that a connection made and kept while the tables were nearly empty probe indexes also when
/// the tables have grown and no statistics tell of it yet.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class KeptPlansIT {
  private static final int UNTIL_PLANS_ARE_KEPT = 7;
  private static final List<String> TABLES =
      List.of("account", "block", "message", "mention", "send_key", "room_position", "room_member");
  private static final int GROUP = 50;
  private static final int ROOMS = 500;
  private static final int MESSAGES = 200_000;
  private static final int PEOPLE = 20_000;

  /// Of what reads or writes nothing but single rows: some fifty for each message. Whoever reads a
  /// table whole reads thousands.
  private static int mostBuffers(int messages) {
    return 500 + 100 * messages;
  }

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final SqlConnection connection;

  KeptPlansIT(Vertx vertx) {
    for (String table : TABLES) {
      postgres.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
    }
    postgres.execute(Chat.room(1, "group", 1, 2) + "ANALYZE");
    this.database = new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
    this.connection = Futures.get(database.connect(Map.of()));
  }

  @AfterEach
  void close() {
    Futures.get(connection.close());
    Futures.get(database.close());
    postgres.close();
  }

  private void grow() {
    postgres.execute(
        """
        INSERT INTO room (room_id, type, name, member_count)
          SELECT r, 'group', 'r', 1 FROM generate_series(2, %1$d) r;
        INSERT INTO room_position (room_id) SELECT r FROM generate_series(2, %1$d) r;
        INSERT INTO room_member (room_id, account_id, role)
          SELECT r, 2, 'member' FROM generate_series(2, %1$d) r;
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT 2 + i %% (%1$d - 1), i, i, i, 2, now(), 'c', 'text', 'x'
            FROM generate_series(1, %2$d) i;
        INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
          SELECT 2, md5('grown' || i)::uuid, 2, i, 1 FROM generate_series(1, %2$d) i;
        INSERT INTO mention (account_id, room_id, seq, sender_id)
          SELECT 1 + i %% 2, 2 + i %% (%1$d - 1), i, 2 FROM generate_series(1, %3$d) i;
        INSERT INTO account (account_id, handle, display_name)
          SELECT a, 'a' || a, 'A' FROM generate_series(3, %3$d) a;
        INSERT INTO room_member (room_id, account_id, role)
          SELECT 2, a, 'member' FROM generate_series(3, %3$d) a;
        """
            .formatted(ROOMS, MESSAGES, PEOPLE));
  }

  private RowSet<Row> run(String sql) {
    return Futures.get(connection.query(sql).execute());
  }

  private long buffers(String sql) {
    JsonArray plan =
        (JsonArray)
            run("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql).iterator().next().getValue(0);
    JsonObject top = plan.getJsonObject(0).getJsonObject("Plan");
    return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
  }

  /// @param name of the messages: the same name, the same messages
  private static String send(String name, int count) {
    return count == 1 ? sendOne(name) : sendGroup(name, count);
  }

  private static String sendOne(String name) {
    return """
    SELECT * FROM append_message(
      1, 1, '%1$s1', md5('%1$s1')::uuid, 1, 'text', 'hello', NULL::bigint, NULL::text,
      'b a2', false)
    """
        .formatted(name);
  }

  private static String sendGroup(String name, int count) {
    return """
    SELECT * FROM append_messages(
      ARRAY[1::bigint], ARRAY[%2$d::bigint], array_fill(1, ARRAY[%2$d]),
      ARRAY(SELECT i::bigint FROM generate_series(1, %2$d) i), array_fill(1::bigint, ARRAY[%2$d]),
      ARRAY(SELECT '%1$s' || i FROM generate_series(1, %2$d) i),
      ARRAY(SELECT md5('%1$s' || i)::uuid FROM generate_series(1, %2$d) i),
      array_fill(1::bigint, ARRAY[%2$d]), array_fill('text'::text, ARRAY[%2$d]),
      array_fill('hello'::text, ARRAY[%2$d]), array_fill(NULL::bigint, ARRAY[%2$d]),
      array_fill(NULL::text, ARRAY[%2$d]), array_fill('b a2'::text, ARRAY[%2$d]), NULL)
    """
        .formatted(name, count);
  }

  private static String edit(String name, int count) {
    return """
    SELECT * FROM change_messages(
      array_fill(1::bigint, ARRAY[%2$d]), ARRAY(SELECT i::bigint FROM generate_series(1, %2$d) i),
      array_fill(1::bigint, ARRAY[%2$d]),
      ARRAY(SELECT md5('edit %1$s' || i)::uuid FROM generate_series(1, %2$d) i),
      array_fill(1::bigint, ARRAY[%2$d]), array_fill('edited'::text, ARRAY[%2$d]),
      array_fill('a2 all'::text, ARRAY[%2$d]), NULL)
    """
        .formatted(name, count);
  }

  @Test
  void callsOfWritersReadNoTableWhole() {
    for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
      for (int count : new int[] {1, GROUP}) {
        run(send("early" + count + i, count));
        run(send("early" + count + i, count));
        run(edit("early" + count + i, count));
        run(edit("early" + count + i, count));
      }
    }
    grow();
    for (int count : new int[] {1, GROUP}) {
      for (String time : new String[] {"for the first time", "again"}) {
        assertThat(buffers(send("late" + count, count)))
            .as("%d sent %s", count, time)
            .isLessThan(mostBuffers(count));
        assertThat(buffers(edit("late" + count, count)))
            .as("%d edited %s", count, time)
            .isLessThan(mostBuffers(count));
      }
    }
  }

  @Test
  void pagesOfHistoryReadNoTableWhole() {
    run("PREPARE page (bigint, bigint, bigint, int) AS " + HistoryStore.READ_BEFORE);
    String page = "EXECUTE page (1, 1, 1000, 50)";
    run(send("early", GROUP));
    postgres.execute("ANALYZE");
    for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
      run(page);
    }
    grow();
    assertThat(buffers(page)).isLessThan(mostBuffers(1));
    assertThat(run("SELECT custom_plans FROM pg_prepared_statements WHERE name = 'page'"))
        .singleElement()
        .satisfies(row -> assertThat(row.getLong(0)).as("planned anew").isZero());
  }

  @Test
  void looksAtTheRightToSendReadNoTableWhole() {
    run("PREPARE rights (bigint[], bigint[], boolean[]) AS " + SendRightStore.CHECK);
    String rights = "EXECUTE rights (ARRAY[1, 2], ARRAY[1, 1], ARRAY[true, false])";
    for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
      run(rights);
    }
    grow();
    postgres.execute(
        "INSERT INTO block (account_id, blocked_id) SELECT 1, a FROM generate_series(3, 40) a");
    run(rights);
    assertThat(buffers(rights)).isLessThan(mostBuffers(2));
  }
}
