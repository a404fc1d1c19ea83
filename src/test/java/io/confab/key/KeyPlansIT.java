package io.confab.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What claims and queries read does not depend on how many keys and rooms others have, also by
/// plans that were made while there were few.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class KeyPlansIT {
  private static final int UNTIL_PLANS_ARE_KEPT = 7;

  private static String claim(int devices) {
    return """
    SELECT * FROM claim_keys(2, array_fill(1::bigint, ARRAY[%1$d]),
      ARRAY(SELECT 'd' || i FROM generate_series(1, %1$d) i), 1000000)
    """
        .formatted(devices);
  }

  @Test
  void aClaimReadsNoTableWhole(Vertx vertx) {
    try (TestDatabase server = TestDatabase.create()) {
      for (String table :
          new String[] {"device_key", "one_time_key", "spent_key", "room", "room_member"}) {
        server.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
      }
      server.execute(KeyWorld.sealedRoom(1, 1, 2) + keys(1, 1) + "ANALYZE");
      Database database = new Database(vertx, server.nodeUrl(), TestConfig.postgres());
      SqlConnection connection = Futures.get(database.connect(Map.of()));
      for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
        Futures.get(connection.query(claim(5)).execute());
      }
      server.execute(
          """
          INSERT INTO account (account_id, handle, display_name)
            SELECT a, 'a' || a, 'A' FROM generate_series(3, 3000) a;
          INSERT INTO room (room_id, type, name, member_count, encryption_suite, sealed_from_seq, sealed_from_rev)
            SELECT r, 'group', 'r', 1, 'olm1', 1, 1 FROM generate_series(2, 3000) r;
          INSERT INTO room_position (room_id) SELECT r FROM generate_series(2, 3000) r;
          INSERT INTO room_member (room_id, account_id, role)
            SELECT r, a, 'member' FROM generate_series(2, 3000) r, generate_series(3, 12) a;
          """
              + keys(3, 3000));
      assertThat(buffers(connection, claim(5))).isLessThan(1_000);
      assertThat(buffers(connection, claim(5))).isLessThan(1_000);
      Futures.get(connection.close());
      Futures.get(database.close());
    }
  }

  private static String keys(int from, int to) {
    return """
    INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
      SELECT a, 'd' || d, 'olm1', 'i', '' FROM generate_series(%1$d, %2$d) a, generate_series(1, 5) d;
    INSERT INTO one_time_key (registration_id, key_id, key)
      SELECT k.registration_id, 'k' || n, 'k' FROM device_key k, generate_series(1, 20) n
       WHERE k.account_id BETWEEN %1$d AND %2$d;
    """
        .formatted(from, to);
  }

  private static long buffers(SqlConnection connection, String sql) {
    JsonArray plan =
        (JsonArray)
            Futures.get(
                    connection.query("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql).execute())
                .iterator()
                .next()
                .getValue(0);
    JsonObject top = plan.getJsonObject(0).getJsonObject("Plan");
    return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
  }
}
