package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Plans that a connection made and kept while there were few queues probe indexes also when there
/// are many and no statistics tell of it yet.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class KeptQueuePlansIT {
  private static final int UNTIL_PLANS_ARE_KEPT = 7;
  private static final List<String> TABLES =
      List.of(
          "account",
          "account_identity",
          "device_key",
          "device_queue",
          "envelope",
          "envelope_payload",
          "delivery_span",
          "delivery_failure",
          "message",
          "send_key",
          "room_position",
          "room_member");
  private static final int PEOPLE = 20_000;
  private static final int WAITING = 200_000;

  /// Whoever reads a table whole reads thousands.
  private static final long MOST_ROWS = 1_000;

  private final SealedWorld world;
  private final SqlConnection connection;

  KeptQueuePlansIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    for (String table : TABLES) {
      world.postgres().execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
    }
    world.room(1, 2, 2);
    world.postgres().execute("ANALYZE");
    this.connection = Futures.get(world.database().connect(Map.of()));
  }

  @AfterEach
  void close() {
    Futures.get(connection.close());
    world.close();
  }

  private void grow() {
    world
        .postgres()
        .execute(
            """
            INSERT INTO account (account_id, handle, display_name)
              SELECT a, 'a' || a, 'A' FROM generate_series(3, %1$d) a;
            INSERT INTO account_identity (account_id, version)
              SELECT a, 1 FROM generate_series(3, %1$d) a;
            INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
              SELECT a, 'd1', 'olm1', 'i', '' FROM generate_series(3, %1$d) a;
            INSERT INTO room (room_id, type, name, member_count)
              SELECT r, 'group', 'r', 1 FROM generate_series(10, %1$d) r;
            INSERT INTO room_position (room_id) SELECT r FROM generate_series(10, %1$d) r;
            INSERT INTO room_member (room_id, account_id, role)
              SELECT r, r, 'member' FROM generate_series(10, %1$d) r;
            INSERT INTO envelope_payload (payload_id, room_id, room_seq, sender_id, sender_device_id,
                                          client_id, ts, due_at, timed, payload)
              SELECT 1000000 + i, 10, i, 3, 'd1', 'c', now(), now() + interval '1 d', false, 'p'
                FROM generate_series(1, %2$d) i;
            INSERT INTO envelope (registration_id, seq, payload_id)
              SELECT 1000000 + i %% 1000, i, 1000000 + i FROM generate_series(1, %2$d) i;
            INSERT INTO delivery_span (room_id, account_id, registration_id, from_seq, to_seq)
              SELECT 10, 3 + i %% 1000, 1, i, i FROM generate_series(1, %2$d) i;
            INSERT INTO delivery_failure (room_id, seq, account_id, reason, failed_at, told)
              SELECT 10, i, 3, 'expired', now(), true FROM generate_series(1, %2$d) i;
            INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type)
              SELECT 10, i, i, i, 3, now(), 'c', 'sealed' FROM generate_series(1, %2$d) i;
            INSERT INTO send_key (sender_id, client_key, room_id, seq, content_hash)
              SELECT 3, md5('grown' || i)::uuid, 10, i, 1 FROM generate_series(1, %2$d) i;
            """
                .formatted(PEOPLE, WAITING));
  }

  private RowSet<Row> run(String sql) {
    return Futures.get(connection.query(sql).execute());
  }

  /// Rows read by going through a table, of each table from which there were too many.
  private Map<String, Long> readWhole(String sql) {
    return readWhole(sql, "SELECT relname::text, seq_tup_read FROM pg_stat_user_tables");
  }

  /// @param counts how many rows of each table or index were read
  private Map<String, Long> readWhole(String sql, String counts) {
    Map<String, Long> before = rowsRead(counts);
    run(sql);
    Map<String, Long> more = new TreeMap<>();
    rowsRead(counts)
        .forEach(
            (table, rows) -> {
              long read = rows - before.getOrDefault(table, 0L);
              if (read > MOST_ROWS) {
                more.put(table, read);
              }
            });
    return more;
  }

  private Map<String, Long> rowsRead(String counts) {
    run("SELECT pg_stat_force_next_flush()");
    Map<String, Long> rows = new TreeMap<>();
    for (Row row : run(counts)) {
      rows.put(row.getString(0), row.getLong(1));
    }
    return rows;
  }

  /// @param name of the send: the same name, the same send
  private String send(String name, long room) {
    String digest = room == 0 ? "" : world.digest(room);
    long registration = world.registration(2, "d1");
    return """
    SELECT * FROM append_envelopes(
      ARRAY[%1$d::bigint], ARRAY[1], ARRAY[1::bigint], ARRAY['d1'], ARRAY['%2$s'], ARRAY[md5('%2$s')::uuid],
      ARRAY[1::bigint], ARRAY['%3$s'], ARRAY[%4$s], ARRAY[NULL::integer], ARRAY[%5$s::text],
      ARRAY[1], ARRAY[%6$d::bigint], ARRAY[2::bigint], ARRAY['d1'], ARRAY['body'], 10000, 86400000)
    """
        .formatted(room, name, digest, room == 0, room == 0 ? "NULL" : "'payload'", registration);
  }

  private String call(String time, String name) {
    return Objects.requireNonNull(calls(time).get(name));
  }

  private Map<String, String> calls(String time) {
    long registration = world.registration(2, "d1");
    String queues = "ARRAY[%d::bigint]".formatted(registration);
    Map<String, String> calls = new LinkedHashMap<>();
    calls.put("send", send("s" + time, 1));
    calls.put("send again", send("s" + time, 1));
    calls.put("send without a room", send("l" + time, 0));
    calls.put("open", "SELECT * FROM open_queues(ARRAY[2::bigint], ARRAY['d1'])");
    calls.put("come back", "SELECT * FROM return_queues(%s)".formatted(queues));
    calls.put(
        "read", "SELECT * FROM read_queues(%s, ARRAY[0::bigint], 100, 256000)".formatted(queues));
    calls.put("wake", "SELECT * FROM wake_queues(%s, 3000, '{}', '{}')".formatted(queues));
    calls.put(
        "reject",
        "SELECT reject_envelope(%1$d, (SELECT last_seq FROM device_queue WHERE registration_id = %1$d), 'r')"
            .formatted(registration));
    calls.put("expire", "SELECT expire_envelopes(20)");
    calls.put("tell", "SELECT * FROM tell_failures(500)");
    calls.put(
        "acknowledge", "SELECT * FROM ack_queues(%s, ARRAY[1000000::bigint])".formatted(queues));
    calls.put("deliveries", "SELECT * FROM deliveries(1, 1, 1, 500)");
    return calls;
  }

  @Test
  void callsOfQueuesReadNoTableWhole() {
    for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
      calls("early" + i).values().forEach(this::run);
    }
    grow();
    calls("late").forEach((call, sql) -> assertThat(readWhole(sql)).as("to %s", call).isEmpty());
  }

  /// Devices that acknowledge at once leave no envelope to whoever gathers statistics.
  @Test
  void acknowledgingReadsNoIndexWholeHoweverFewEnvelopesThereWere() {
    world
        .postgres()
        .execute(
            """
            INSERT INTO envelope (registration_id, seq)
              SELECT 1000000 + i % 200, i FROM generate_series(1, 100000) i;
            DELETE FROM envelope;
            ANALYZE envelope;
            """);
    for (int i = 0; i < UNTIL_PLANS_ARE_KEPT; i++) {
      run(call("early" + i, "send"));
      run(call("early" + i, "acknowledge"));
    }
    grow();
    run(call("late", "send"));
    assertThat(
            readWhole(
                call("late", "acknowledge"),
                "SELECT indexrelname::text, idx_tup_read FROM pg_stat_user_indexes"))
        .isEmpty();
  }
}
