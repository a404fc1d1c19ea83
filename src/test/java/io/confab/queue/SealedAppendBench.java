package io.confab.queue;

import static io.confab.testing.Futures.get;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.WriterConnection;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Calls that store groups of sends to a sealed room of 200 devices, over one connection with one
/// call in flight, on a PostgreSQL of its own. `scripts/bench sealed` measures them.
public final class SealedAppendBench implements AutoCloseable {
  /// That get each send.
  public static final int TARGETS = 199;

  private static final int ROOM = 1;
  private static final int DEPTH = 1_000_000;
  private static final Duration LONG = Duration.ofDays(30);
  private static final String PAYLOAD = "x".repeat(480);

  private final Vertx vertx = Vertx.vertx();
  private final OwnPostgres server = new OwnPostgres("max_wal_size=8GB", "shared_buffers=512MB");
  private final Database database;
  private final WriterConnection connection;
  private final EnvelopeStore store;
  private final String digest;

  public SealedAppendBench() {
    try (Connection own = TestDatabase.connect(server.url());
        Statement statement = own.createStatement()) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      statement.execute(SealedWorld.room(ROOM, 1, TARGETS + 1, 1));
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT string_agg(registration_id::text, ',' ORDER BY registration_id) FROM"
                  + " device_queue")) {
        rows.next();
        digest = SealedWorld.digestOf(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    database = new Database(vertx, server.url(), TestConfig.postgres());
    connection = new WriterConnection(database, SealedWorld.PATIENT);
    get(connection.open());
    store = new EnvelopeStore(connection, TestConfig.queues(DEPTH, LONG, LONG));
  }

  /// The first process of PostgreSQL.
  public long pid() {
    return server.pid();
  }

  /// Each by somebody else.
  public void append(int sends) {
    List<EnvelopeDraft> drafts =
        IntStream.rangeClosed(1, sends)
            .mapToObj(
                account ->
                    new SealedWorld.Sending(
                            ROOM, account, "d1", UUID.randomUUID().toString(), digest)
                        .saying(PAYLOAD))
            .toList();
    for (EnvelopeOutcome outcome : get(store.append(drafts))) {
      if (!(outcome instanceof EnvelopeOutcome.Stored)) {
        throw new IllegalStateException("not stored: " + outcome);
      }
    }
  }

  /// As if all devices had acknowledged everything.
  public void empty() {
    try (Connection own = TestDatabase.connect(server.url());
        Statement statement = own.createStatement()) {
      statement.execute(
          "TRUNCATE envelope, envelope_payload; UPDATE device_queue SET gone_seq = last_seq");
      statement.execute("VACUUM ANALYZE device_queue");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    get(connection.close());
    get(database.close());
    get(vertx.close());
    server.close();
  }
}
