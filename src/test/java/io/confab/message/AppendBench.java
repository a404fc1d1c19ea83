package io.confab.message;

import static io.confab.message.Chat.await;

import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.testing.OwnPostgres;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What storing a group costs beside its floor, a bare insert of the same rows, and what a run of
/// edits costs: CPU of all server processes, rows a second and time of a call, over one connection
/// with one call in flight.
///
/// Not part of the tests: `scripts/bench-append` runs it.
@ExtendWith(VertxExtension.class)
class AppendBench {
  private static final List<Integer> SIZES = List.of(1, 8, 50, 200);
  private static final int ROUNDS = 5;
  private static final Duration CELL = Duration.ofSeconds(3);
  private static final int ROOMS = 200;
  private static final int MEMBERS = 20;
  private static final int SENDERS = 1_000;
  private static final int TICKS_PER_SECOND = 100;
  private static final String BODY = "x".repeat(200);

  private static final String FLOOR =
      """
      INSERT INTO floor (room_id, seq, rev, sender_id, ts, client_id, msg_type, body)
        SELECT d.room_id, d.seq, d.seq, d.sender_id, clock_timestamp(), d.client_id, 'text', d.body
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
                 AS d (room_id, seq, sender_id, client_id, body)\
      """;

  private final Random random = new Random(1);
  private long sends;

  private record Cell(double micros, double rows, double p50, double p99) {}

  private interface Shape {
    void call(int rows);
  }

  @Test
  void measure(Vertx vertx) throws SQLException, IOException {
    try (OwnPostgres server = new OwnPostgres("max_wal_size=8GB", "shared_buffers=512MB")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      Chat.execute(server.url(), "CREATE TABLE floor (LIKE message INCLUDING ALL)");
      for (int room = 0; room < ROOMS; room++) {
        int first = room * (SENDERS / ROOMS);
        Chat.execute(server.url(), Chat.room(room, "group", first, first + MEMBERS - 1));
      }
      Database database = Chat.database(vertx, server.url());
      AppendStore log = Chat.log(database);
      SqlConnection bare = await(database.connect(Map.of("plan_cache_mode", "force_generic_plan")));
      await(log.append(firstOfEachRoom()));
      Map<String, Shape> shapes = new TreeMap<>();
      shapes.put("F3 bare insert", rows -> await(floor(bare, drafts(rows))));
      shapes.put("F3b append_messages", rows -> await(log.append(drafts(rows))));
      shapes.put("change_messages", rows -> await(log.change(edits(rows))));
      Map<String, List<Cell>> cells = new TreeMap<>();
      for (int round = 0; round <= ROUNDS; round++) {
        for (int size : SIZES) {
          for (var shape : shapes.entrySet()) {
            Cell cell = cell(server, shape.getValue(), size);
            if (round > 0) {
              String name = String.format(Locale.ROOT, "%-20s %3d", shape.getKey(), size);
              cells.computeIfAbsent(name, _ -> new ArrayList<>()).add(cell);
            }
          }
        }
      }
      report(cells);
      await(log.close());
      await(bare.close());
      await(database.close());
    }
  }

  private Future<?> floor(SqlConnection bare, List<Draft> drafts) {
    Long[] seqs = drafts.stream().map(_ -> ++sends).toArray(Long[]::new);
    return bare.preparedQuery(FLOOR)
        .execute(
            Tuple.tuple()
                .addValue(drafts.stream().map(d -> d.roomId().value()).toArray(Long[]::new))
                .addValue(seqs)
                .addValue(drafts.stream().map(d -> d.senderId().value()).toArray(Long[]::new))
                .addValue(drafts.stream().map(d -> d.clientId().value()).toArray(String[]::new))
                .addValue(drafts.stream().map(Draft::body).toArray(String[]::new)));
  }

  private Cell cell(OwnPostgres server, Shape shape, int size) throws IOException {
    List<Long> times = new ArrayList<>();
    long cpu = cpu(server);
    long start = System.nanoTime();
    while (System.nanoTime() - start < CELL.toNanos()) {
      long before = System.nanoTime();
      shape.call(size);
      times.add(System.nanoTime() - before);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double rows = (double) times.size() * size;
    double used = (cpu(server) - cpu) * 1e6 / TICKS_PER_SECOND;
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    return new Cell(
        used / rows,
        rows / seconds,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6);
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

  /// Clock ticks of the server, of its processes that live and of those that have ended.
  private static long cpu(OwnPostgres server) throws IOException {
    long ticks = 0;
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process :
          processes.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
        Path stat = process.resolve("stat");
        if (!Files.exists(stat)) {
          continue;
        }
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        boolean postmaster = process.getFileName().toString().equals(String.valueOf(server.pid()));
        if (postmaster || Long.parseLong(fields[1]) == server.pid()) {
          ticks += Arrays.stream(fields, 11, postmaster ? 15 : 13).mapToLong(Long::parseLong).sum();
        }
      }
    }
    return ticks;
  }

  private static void report(Map<String, List<Cell>> cells) {
    System.out.println(
        "| shape and rows a call | CPU µs a row: median (least–most) | rows/s | p50 ms | p99 ms |");
    System.out.println("|---|---|---|---|---|");
    cells.forEach(
        (name, runs) -> {
          double[] micros = runs.stream().mapToDouble(Cell::micros).sorted().toArray();
          System.out.printf(
              Locale.ROOT,
              "| %s | %.1f (%.1f–%.1f) | %.0f | %.2f | %.2f |%n",
              name,
              micros[micros.length / 2],
              micros[0],
              micros[micros.length - 1],
              median(runs.stream().mapToDouble(Cell::rows).toArray()),
              median(runs.stream().mapToDouble(Cell::p50).toArray()),
              median(runs.stream().mapToDouble(Cell::p99).toArray()));
        });
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
