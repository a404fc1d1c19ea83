package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// A crowd before rooms with a capacity on several nodes, one of which is killed now and then, or
/// Redis, which loses its data by that, or both. What everybody was told is checked at the end.
final class SeatRun implements AutoCloseable {
  private static final String MUCH = "1000000/s burst 1000000";
  private static final List<String> RATES =
      List.of(
          "joins",
          "rooms",
          "members",
          "admin",
          "hellos",
          "resumes",
          "frames",
          "requests",
          "connections",
          "upgrades",
          "writes",
          "reads");

  /// Redis stands again after so long.
  private static final Duration REDIS_AWAY = Duration.ofMillis(1_500);

  /// Until it is noticed that it has lost its data, nobody being let in yet, and until who is let
  /// in after that knows.
  private static final Duration PAUSE = Duration.ofSeconds(22);

  /// A node and Redis.
  private static final int LEAST_FAULTS = 2;

  private static final int CONNECT_AT_ONCE = 50;
  private static final int POLLS_AT_ONCE = 64;

  /// A crowd may keep a node busy for a moment; this long only the machine can.
  private static final Duration STILL = Duration.ofSeconds(4);

  private static final Duration CONNECT = Duration.ofMinutes(2);
  private static final Duration NODE_AWAY = Duration.ofSeconds(4);
  private static final Duration TELL = Duration.ofSeconds(10);

  private final Extent plan;
  private final Vertx vertx = Vertx.vertx();
  private final Servers servers;
  private final List<Machine> machines;
  private final SeatWorld world;
  private final List<SeatVisitor> visitors = new ArrayList<>();
  private final List<SeatPoller> pollers = new ArrayList<>();
  private final Pulse pulse;
  private final CpuShares cpu = new CpuShares();
  private final Consumer<String> told;
  private final SplittableRandom random;
  private long began;
  private int nodeKills;
  private int redisKills;

  /// @param pollers so many of the accounts have no connection
  /// @param calm between two faults
  /// @param jvm options of the nodes' JVMs
  record Extent(
      SeatCrowd.Size size,
      int pollers,
      SeatHabits habits,
      Duration length,
      Duration calm,
      Duration slack,
      int nodes,
      long seed,
      Path folder,
      List<String> jvm) {}

  /// @param told hears how it goes
  private SeatRun(Extent plan, Consumer<String> told) {
    this.plan = plan;
    this.told = told;
    this.random = new SplittableRandom(plan.seed());
    this.servers = Servers.start();
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
    this.machines = Machine.cluster(plan.folder(), plan.nodes(), servers, variables());
    CompletableFuture.allOf(
            machines.stream()
                .map(
                    m ->
                        CompletableFuture.runAsync(
                            () -> m.start(plan.jvm()), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
    SeatCrowd.Made made = SeatCrowd.make(machines.getFirst().port(), plan.size());
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(100_000)
                .setMaxFrameSize(1 << 20)
                .setConnectTimeout(5_000));
    this.world = new SeatWorld(vertx, client, made.rooms(), machines, plan.habits());
    String anybody = made.tokens().getFirst();
    this.pulse =
        Pulse.start(
            machines,
            STILL,
            port -> ApiClient.bearer(port, anybody),
            System::nanoTime,
            this::stoodStill);
    HttpClient http = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(POLLS_AT_ONCE));
    for (int i = 0; i < made.tokens().size(); i++) {
      String token = made.tokens().get(i);
      int[] rooms = plan.size().roomsOf(i);
      if (i < plan.pollers()) {
        for (int room : rooms) {
          pollers.add(new SeatPoller(world, http, i, token, room, random.nextLong()));
        }
      } else {
        visitors.add(new SeatVisitor(world, i, token, rooms, random.nextLong()));
      }
    }
  }

  /// Straight to the servers: what they say shall not go by way of the process that has the load.
  private Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>();
    variables.put("CONFAB_REDIS_URL", servers.redisUrl());
    variables.put("CONFAB_POSTGRES_URL", servers.postgresUrl());
    variables.put("CONFAB_HTTP_ADDRESS_CONNECTIONS", "100000");
    for (String rate : RATES) {
      variables.put("CONFAB_RATES_" + rate.toUpperCase(Locale.ROOT), MUCH);
    }
    return variables;
  }

  /// Runs it to its end.
  static SeatFindings run(Extent plan, Consumer<String> told) throws InterruptedException {
    try (SeatRun run = new SeatRun(plan, told)) {
      return run.run();
    }
  }

  private SeatFindings run() throws InterruptedException {
    began = System.nanoTime();
    connect();
    began = System.nanoTime();
    long end = began + plan.length().toNanos();
    lookAtCpu();
    Map<String, Duration> before = cpu.now();
    world.open();
    visitors.forEach(SeatVisitor::begin);
    pollers.forEach(SeatPoller::begin);
    calm();
    for (int i = 0; i < LEAST_FAULTS || System.nanoTime() < end - PAUSE.toNanos(); i++) {
      switch (i % 3) {
        case 0 -> killNode();
        case 1 -> killRedis();
        default -> killBoth();
      }
      calm();
    }
    rest(Math.max(end, System.nanoTime() + PAUSE.minus(plan.calm()).toNanos()));
    world.end();
    long ended = System.nanoTime();
    visitors.forEach(SeatVisitor::stop);
    SeatFindings findings =
        SeatFindings.of(
            world.log(),
            new SeatTruth(plan.size().capacity(), ended, world.log().losses(), plan.slack()));
    world.log().write(plan.folder().resolve("seats.csv"));
    tell();
    long seconds = (ended - began) / 1_000_000_000;
    told.accept("processor time in " + seconds + " s: " + cpu.since(before));
    told.accept(findings.text(began));
    if (!pulse.slow().isEmpty()) {
      throw new IllegalStateException(pulse.slow().toString());
    }
    return findings;
  }

  /// Not all at the same moment: this is not about that.
  private void connect() throws InterruptedException {
    for (int i = 0; i < visitors.size(); i++) {
      visitors.get(i).start();
      if (i % CONNECT_AT_ONCE == 0) {
        int started = i;
        await()
            .atMost(CONNECT)
            .until(() -> world.connected().get() > started - 2 * CONNECT_AT_ONCE);
      }
    }
    await().atMost(CONNECT).until(() -> world.connected().get() == visitors.size());
    told.accept("all are connected");
  }

  private void calm() throws InterruptedException {
    rest(System.nanoTime() + plan.calm().toNanos());
  }

  private void rest(long until) throws InterruptedException {
    while (System.nanoTime() < until) {
      Thread.sleep(Math.min(TELL.toMillis(), 1 + (until - System.nanoTime()) / 1_000_000));
      tell();
    }
  }

  private void stoodStill(Machine machine, long since, long until) {
    told.accept(machine.name() + " stood still for " + (until - since) / 1_000_000 + " ms");
    world.log().stoodStill(since, until);
  }

  private void lookAtCpu() {
    cpu.look(
        "nodes",
        machines.stream()
            .filter(Machine::isRunning)
            .map(machine -> machine.process().pid())
            .flatMap(pid -> ProcessHandle.of(pid).stream())
            .toList());
    cpu.look("Redis", ProcessHandle.of(servers.redis().pid()).stream().toList());
    cpu.look("PostgreSQL", servers.postgresProcesses());
    cpu.look("clients", List.of(ProcessHandle.current()));
  }

  private void tell() {
    lookAtCpu();
    told.accept(
        ("%4d s: %d connected, %d inside, %d waiting; %d exits, %d tabs closed; "
                + "killed: nodes %d, Redis %d; refused %s")
            .formatted(
                (System.nanoTime() - began) / 1_000_000_000,
                world.connected().get(),
                world.inside().get(),
                world.waiting().get(),
                world.exits().sum(),
                world.tabsClosed().sum(),
                nodeKills,
                redisKills,
                new TreeMap<>(world.refusals())));
  }

  private void killNode() throws InterruptedException {
    bringBack(kill());
  }

  private Machine kill() {
    Machine machine = machines.get(random.nextInt(machines.size()));
    told.accept(machine.name() + " is killed");
    lookAtCpu();
    world.down(machine, true);
    machine.kill();
    nodeKills++;
    return machine;
  }

  private void bringBack(Machine machine) throws InterruptedException {
    Thread.sleep(NODE_AWAY);
    machine.start(plan.jvm());
    world.down(machine, false);
  }

  private void killRedis() throws InterruptedException {
    bringRedisBack(loseRedis());
  }

  /// A node with all that it could have said of seats, too.
  private void killBoth() throws InterruptedException {
    long lost = loseRedis();
    Machine machine = kill();
    bringRedisBack(lost);
    bringBack(machine);
  }

  private long loseRedis() {
    told.accept("Redis is killed");
    lookAtCpu();
    long lost = System.nanoTime();
    servers.redis().kill();
    redisKills++;
    return lost;
  }

  private void bringRedisBack(long lost) throws InterruptedException {
    Thread.sleep(REDIS_AWAY);
    servers.redis().startAgain();
    world.log().lost(lost, System.nanoTime() + PAUSE.toNanos());
  }

  @Override
  public void close() {
    pulse.close();
    world.end();
    machines.forEach(Machine::close);
    servers.close();
    vertx.close().await();
  }
}
