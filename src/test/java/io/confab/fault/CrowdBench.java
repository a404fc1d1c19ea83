package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A crowd on one node, against the real jar: what it costs PostgreSQL to compare it while Redis is
/// away, and how long messages take meanwhile. Run by `scripts/bench-crowd`; not part of the tests.
@ExtendWith(VertxExtension.class)
@Timeout(3_600)
class CrowdBench {
  private static final int SESSIONS = Integer.getInteger("confab.sessions", 18_000);
  private static final int ACCOUNTS = SESSIONS * 5 / 18;
  private static final int ROOMS_EACH = 100;
  private static final int RATE = Integer.getInteger("confab.rate", 10);
  private static final int SPEAKERS = 20;
  private static final int AT_ONCE = 16;
  private static final long NANOS = 1_000_000_000L;
  private static final String KEY = "an-api-key-that-is-only-for-benches-0123456789";
  private static final Duration DELIVERED_WITHOUT_REDIS = Duration.ofSeconds(3);

  /// On a machine that others use too, things may take ten times as long.
  private static final int GUARD = 10;

  private static final double MOST_OF_A_CORE = 25;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /// What a phase took: the 99th percentile of deliveries, and hundredths of a core that PostgreSQL
  /// used.
  private record Cost(Duration p99, double postgres) {}

  private final Vertx vertx;
  private final AtomicInteger live = new AtomicInteger();
  private final AtomicLong heard = new AtomicLong();
  private final Map<WebSocket, String> rooms = new ConcurrentHashMap<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile Histogram latencies = new ConcurrentHistogram(3);

  /// Held, because a client that nobody holds is collected, and its sockets are closed with it.
  private final WebSocketClient client;

  private long expected;
  private int said;

  CrowdBench(Vertx vertx) {
    this.vertx = vertx;
    client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setMaxConnections(SESSIONS).setMaxFrameSize(1 << 20));
  }

  /// Some accounts have four devices, some three.
  private static int devices(int account) {
    return account % 5 < 3 ? 4 : 3;
  }

  /// A room has the hundred accounts from its own number on.
  private static int member(int room, int k) {
    return (room + k - 1) % ACCOUNTS + 1;
  }

  @Test
  void measure(@TempDir Path folder) throws SQLException, IOException {
    try (OwnPostgres postgres =
            new OwnPostgres(
                "shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track=all");
        OwnRedis redis = OwnRedis.start();
        NodeProcess node =
            NodeProcess.changed(
                Files.createDirectory(folder.resolve("nothing")),
                List.of("-Xmx4g"),
                Files.createDirectory(folder.resolve("data")),
                0,
                variables(postgres, redis))) {
      node.awaitReady();
      populate(postgres);
      List<WebSocket> speakers = connect(node.port(), tokens(node.port()));
      Memory memory = new Memory(node.family().getFirst().pid());
      System.out.printf(
          "%,d sessions of %,d accounts in %d rooms each; live heap %,d MB, resident %,d MB%n",
          SESSIONS, ACCOUNTS, ROOMS_EACH, memory.liveHeapMb(), memory.residentMb());
      System.out.println(
          "| phase | deliveries | p50 ms | p99 ms | most ms | CPU of PostgreSQL % | of the node % |"
              + " comparing: statements, buffers, ms |");
      System.out.println("|---|---|---|---|---|---|---|---|");
      phase("warm-up", 10, speakers, postgres, node);
      phase("Redis there", 30, speakers, postgres, node);
      redis.kill();
      Cost away = phase("Redis away", 60, speakers, postgres, node);
      redis.startAgain();
      phase("Redis back", 20, speakers, postgres, node);
      System.out.printf(
          "live heap %,d MB, resident %,d MB%n", memory.liveHeapMb(), memory.residentMb());
      assertThat(faults).isEmpty();
      assertThat(heard.get()).isEqualTo(expected);
      assertThat(away.p99()).isLessThanOrEqualTo(DELIVERED_WITHOUT_REDIS.multipliedBy(GUARD));
      assertThat(away.postgres()).isLessThanOrEqualTo(MOST_OF_A_CORE);
    }
  }

  private static Map<String, String> variables(OwnPostgres postgres, OwnRedis redis) {
    return Map.of(
        "CONFAB_POSTGRES_URL",
        TestDatabase.address(postgres.url()),
        "CONFAB_REDIS_URL",
        redis.address(),
        "CONFAB_API_KEY",
        KEY,
        // All come from one address.
        "CONFAB_HTTP_CONNECTIONS",
        "30000",
        "CONFAB_HTTP_ADDRESS_CONNECTIONS",
        "30000",
        "CONFAB_RATES_ADMIN",
        "100000/s burst 100000",
        "CONFAB_RATES_REQUESTS",
        "100000/s burst 100000",
        "CONFAB_RATES_SIGN_INS",
        "100000/s burst 100000");
  }

  private static void populate(OwnPostgres postgres) throws SQLException {
    execute(postgres, "CREATE EXTENSION pg_stat_statements");
    execute(
        postgres,
        """
        INSERT INTO account (account_id, handle, display_name)
          SELECT i, 'crowd' || i, 'n' FROM generate_series(1, %1$d) i;
        INSERT INTO room (room_id, type, name, member_count)
          SELECT i, 'group', 'r', %2$d FROM generate_series(1, %1$d) i;
        INSERT INTO room_position (room_id) SELECT i FROM generate_series(1, %1$d) i;
        INSERT INTO room_member (room_id, account_id, role)
          SELECT i, (i + k - 1) %% %1$d + 1, 'member'
          FROM generate_series(1, %1$d) i, generate_series(0, %2$d - 1) k;
        ANALYZE
        """
            .formatted(ACCOUNTS, ROOMS_EACH));
  }

  private Queue<String> tokens(int port) {
    HttpClient http =
        vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(AT_ONCE));
    Queue<Integer> owners = new ConcurrentLinkedQueue<>();
    for (int account = 1; account <= ACCOUNTS; account++) {
      for (int device = 0; device < devices(account); device++) {
        owners.add(account);
      }
    }
    Queue<String> tokens = new ConcurrentLinkedQueue<>();
    Future.all(IntStream.range(0, AT_ONCE).mapToObj(_ -> ask(http, port, owners, tokens)).toList())
        .await();
    http.close();
    return tokens;
  }

  private static Future<?> ask(
      HttpClient http, int port, Queue<Integer> owners, Queue<String> tokens) {
    Integer account = owners.poll();
    if (account == null) {
      return Future.succeededFuture();
    }
    JsonObject body = new JsonObject().put("account_id", new AccountId(account).toString());
    return http.request(HttpMethod.POST, port, "127.0.0.1", "/v1/admin/tokens")
        .compose(
            request ->
                request
                    .putHeader("authorization", "Key " + KEY)
                    .putHeader("content-type", "application/json")
                    .send(body.encode())
                    .compose(HttpClientResponse::body))
        .compose(
            answer -> {
              String token = answer.toJsonObject().getString("access_token");
              if (token == null) {
                System.out.println("asked again, because of " + answer);
                owners.add(account);
              } else {
                tokens.add(token);
              }
              return ask(http, port, owners, tokens);
            });
  }

  /// Opens all sockets, some at a time; answers those that speak.
  private List<WebSocket> connect(int port, Queue<String> tokens) {
    assertThat(tokens).hasSize(SESSIONS);
    List<WebSocket> sockets = new ArrayList<>();
    int opened = 0;
    for (String token : tokens) {
      WebSocket socket =
          client
              .connect(
                  new WebSocketConnectOptions()
                      .setHost("127.0.0.1")
                      .setPort(port)
                      .setURI("/v1/socket")
                      .setAllowOriginHeader(false)
                      .addSubProtocol("confab.v1"))
              .await();
      socket.textMessageHandler(text -> heard(socket, text));
      socket.closeHandler(_ -> faults.add("closed with " + socket.closeStatusCode()));
      socket.writeTextMessage(new JsonObject().put("type", "hello").put("token", token).encode());
      if (opened++ % (SESSIONS / SPEAKERS) == 0) {
        sockets.add(socket);
      }
      int enough = opened - 200;
      await().atMost(PATIENCE).until(() -> live.get() >= enough);
    }
    await().atMost(PATIENCE).until(() -> live.get() == SESSIONS);
    return sockets;
  }

  private void heard(WebSocket from, String text) {
    if (text.startsWith("{\"type\":\"message.receive\"")) {
      int at = text.indexOf("\"body\":\"") + "\"body\":\"".length();
      long due = Long.parseLong(text.substring(at, text.indexOf('"', at)));
      latencies.recordValue(Math.max(0, System.nanoTime() - due) / 1_000);
      heard.incrementAndGet();
    } else if (text.startsWith("{\"type\":\"welcome\"")) {
      JsonObject first = new JsonObject(text).getJsonArray("rooms").getJsonObject(0);
      rooms.put(from, first.getString("room_id"));
      from.writeTextMessage(
          new JsonObject()
              .put("type", "resume")
              .put("rooms", new JsonArray())
              .put("last", true)
              .encode());
    } else if (text.startsWith("{\"type\":\"resumed\"")) {
      live.incrementAndGet();
    } else if (!text.startsWith("{\"type\":\"message.ack\"")) {
      faults.add(text);
    }
  }

  private Cost phase(
      String name, int seconds, List<WebSocket> speakers, OwnPostgres postgres, NodeProcess node)
      throws SQLException {
    latencies = new ConcurrentHistogram(3);
    execute(postgres, "SELECT pg_stat_statements_reset()");
    List<ProcessHandle> databases =
        ProcessHandle.of(postgres.pid()).stream()
            .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()))
            .toList();
    ProcessHandle jvm = node.family().getFirst();
    long database = cpu(databases);
    long program = cpu(List.of(jvm));
    long before = heard.get();
    long begin = System.nanoTime();
    for (int i = 0; i < RATE * seconds; i++) {
      long due = begin + i * NANOS / RATE;
      LockSupport.parkNanos(due - System.nanoTime());
      WebSocket speaker = speakers.get(i % SPEAKERS);
      String room = Objects.requireNonNull(rooms.get(speaker));
      for (int k = 0; k < ROOMS_EACH; k++) {
        expected += devices(member((int) RoomId.parse(room).value(), k));
      }
      speaker.writeTextMessage(
          new JsonObject()
              .put("type", "message.send")
              .put("room_id", room)
              .put("client_id", "m" + said++)
              .put("body", Long.toString(due))
              .encode());
    }
    await().atMost(Duration.ofMinutes(2)).until(() -> heard.get() == expected || !faults.isEmpty());
    assertThat(faults).as(name).isEmpty();
    double took = (System.nanoTime() - begin) / 1e9;
    Cost cost =
        new Cost(
            Duration.of(latencies.getValueAtPercentile(99), ChronoUnit.MICROS),
            (cpu(databases) - database) / took);
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %.1f | %.1f | %.1f | %.1f | %.1f | %s |%n",
        name,
        heard.get() - before,
        latencies.getValueAtPercentile(50) / 1e3,
        cost.p99().toNanos() / 1e6,
        latencies.getMaxValue() / 1e3,
        cost.postgres(),
        (cpu(List.of(jvm)) - program) / took,
        comparing(postgres));
    return cost;
  }

  /// Hundredths of a second of processor time, by Linux; none of a process that has ended.
  private static long cpu(List<ProcessHandle> processes) {
    return processes.stream().filter(ProcessHandle::isAlive).mapToLong(CrowdBench::cpu).sum();
  }

  private static long cpu(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String comparing(OwnPostgres postgres) throws SQLException {
    try (var connection = TestDatabase.connect(postgres.url());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT coalesce(sum(calls), 0), coalesce(sum(shared_blks_hit + shared_blks_read), 0),
                  coalesce(round(sum(total_exec_time)), 0)
                FROM pg_stat_statements
                WHERE query ~ 'account_changes|lone_node|FROM room_position|AS asked'
                """)) {
      rows.next();
      return String.format(
          Locale.ROOT, "%,d, %,d, %,d", rows.getLong(1), rows.getLong(2), rows.getLong(3));
    }
  }

  private static void execute(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
