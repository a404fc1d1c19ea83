package io.confab.message;

import static io.confab.message.Chat.await;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.testing.OwnPostgres;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/// Calls that store and edit groups of messages, over one connection with one call in flight, on a
/// PostgreSQL of its own; and their floor, a bare insert of the same rows. `scripts/bench append`
/// measures them.
public final class AppendBench implements AutoCloseable {
  private static final int ROOMS = 200;
  private static final int MEMBERS = 20;
  private static final int SENDERS = 1_000;
  private static final String BODY = "x".repeat(200);

  private static final String FLOOR =
      """
      INSERT INTO floor (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
        SELECT d.room_id, d.seq, d.seq, d.seq, d.sender_id, clock_timestamp(), d.client_id, 'text', d.body
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
                 AS d (room_id, seq, sender_id, client_id, body)\
      """;

  private final Random random = new Random(1);
  private final Vertx vertx = Vertx.vertx();
  private final OwnPostgres server = new OwnPostgres("max_wal_size=8GB", "shared_buffers=512MB");
  private final Database database;
  private final AppendStore log;
  private final SqlConnection bare;
  private long inserted;

  public AppendBench() {
    try {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      Chat.execute(server.url(), "CREATE TABLE floor (LIKE message INCLUDING ALL)");
      for (int room = 0; room < ROOMS; room++) {
        int first = room * (SENDERS / ROOMS);
        Chat.execute(server.url(), Chat.room(room, "group", first, first + MEMBERS - 1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    database = Chat.database(vertx, server.url());
    log = Chat.log(database);
    bare = await(database.connect(Map.of("plan_cache_mode", "force_generic_plan")));
    await(log.append(firstOfEachRoom()));
  }

  /// The first process of PostgreSQL.
  public long pid() {
    return server.pid();
  }

  public void insert(int rows) {
    List<Draft> drafts = drafts(rows);
    Long[] seqs = drafts.stream().map(_ -> ++inserted).toArray(Long[]::new);
    await(
        bare.preparedQuery(FLOOR)
            .execute(
                Tuple.tuple()
                    .addValue(drafts.stream().map(d -> d.roomId().value()).toArray(Long[]::new))
                    .addValue(seqs)
                    .addValue(drafts.stream().map(d -> d.senderId().value()).toArray(Long[]::new))
                    .addValue(drafts.stream().map(d -> d.clientId().value()).toArray(String[]::new))
                    .addValue(drafts.stream().map(Draft::body).toArray(String[]::new))));
  }

  public void append(int rows) {
    await(log.append(drafts(rows)));
  }

  public void edit(int rows) {
    await(log.change(edits(rows)));
  }

  private static List<Draft> firstOfEachRoom() {
    return IntStream.range(0, ROOMS)
        .mapToObj(room -> Chat.draft(room, (long) room * (SENDERS / ROOMS), "first", BODY))
        .toList();
  }

  private List<MessageChange> edits(int size) {
    return IntStream.range(0, size)
        .mapToObj(_ -> random.nextInt(ROOMS))
        .<MessageChange>map(
            room ->
                Chat.edit(room, 1, (long) room * (SENDERS / ROOMS), clientId(), "edited " + BODY))
        .toList();
  }

  private String clientId() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  private List<Draft> drafts(int size) {
    List<Draft> drafts = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int room = random.nextInt(ROOMS);
      int sender = room * (SENDERS / ROOMS) + random.nextInt(MEMBERS);
      drafts.add(Chat.draft(room, sender, clientId(), BODY));
    }
    return drafts;
  }

  @Override
  public void close() {
    await(log.close());
    await(bare.close());
    await(database.close());
    await(vertx.close());
    server.close();
  }
}
