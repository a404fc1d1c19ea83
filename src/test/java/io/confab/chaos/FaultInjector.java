package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.testing.proxy.Drops;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Makes faults of each kind for one of the machines, or for a server that all of them use.
final class FaultInjector {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration MOMENT = Duration.ofSeconds(2);
  private static final String CUT_OFF = "confab_isolations_total";
  private static final String COMPARED = "confab_comparisons_total";
  private static final String LONE = "confab_comparisons_total{reason=\"lone\"}";
  private static final String REFUSED_STORAGE = "confab_storage_failures_total";

  /// As long as a node that hears nobody waits before it judges, and more.
  private static final Duration PEERS_FORGOTTEN = Duration.ofSeconds(14);

  private static final Duration LONG = Duration.ofSeconds(7); // longer than anybody's patience

  private final Servers servers;
  private final RunContext world;
  private final Evidence evidence;
  private final RandomGenerator random;
  private final Consumer<Machine> kill;
  private final Consumer<Machine> restart;

  /// @param kill ends a machine's node, if it runs
  /// @param restart brings back one that was killed; does not wait
  FaultInjector(
      Servers servers,
      RunContext world,
      RandomGenerator random,
      Consumer<Machine> kill,
      Consumer<Machine> restart) {
    this.servers = servers;
    this.world = world;
    this.evidence = new Evidence(world);
    this.random = random;
    this.kill = kill;
    this.restart = restart;
  }

  /// @param on a machine that runs; it is left alone by kinds that are about a server
  Fault make(FaultKind kind, Machine on) {
    return switch (kind) {
      case NODE_KILLED ->
          new Fault(
              kind.title(), on.name(), SHORT, () -> killed(List.of(on)), () -> restart.accept(on));
      case OTHER_NODES_KILLED -> lastOne(kind, on);
      case NODE_ALONE -> alone(kind, on);
      case NODE_FROZEN ->
          of(kind, on, LONG, () -> evidence.disconnectedFrom(on), on::freeze, on::thaw);
      case NODE_FROZEN_IN_A_CHANGE ->
          of(
              kind,
              on,
              LONG,
              () -> evidence.disconnectedFrom(on),
              () -> new FrozenInAChange(servers, on).run(RoomGate::lockAll, () -> {}),
              on::thaw);
      case ROOM_LOCKED -> locked(kind);
      case DISK_FULL -> {
        FullDisk disk = new FullDisk(servers.postgres().url());
        yield of(
            kind,
            "postgres",
            MOMENT,
            () -> evidence.rises(REFUSED_STORAGE),
            disk::fill,
            disk::free);
      }
      case REDIS_KILLED, REDIS_AWAY_FOR_LONG, REDIS_FROZEN, REDIS_FLUSHED, REDIS_SUBSCRIBERS_CUT ->
          redis(kind);
      case POSTGRES_KILLED, POSTGRES_BACKEND_KILLED, POSTGRES_FROZEN -> postgres(kind);
      case CLIENTS_RESET,
          CLIENTS_CUT_AT_A_BYTE,
          CLIENTS_IN_A_BLACK_HOLE,
          CLIENTS_NOT_ANSWERED,
          CLIENTS_NOT_HEARD ->
          clients(kind, on);
      case REDIS_WAY_RESET,
          REDIS_WAY_CUT_AT_A_BYTE,
          REDIS_WAY_IN_A_BLACK_HOLE,
          REDIS_WAY_NOT_ANSWERED,
          REDIS_WAY_SILENT,
          POSTGRES_WAY_RESET,
          POSTGRES_WAY_CUT_AT_A_BYTE,
          POSTGRES_WAY_STILL,
          POSTGRES_WAY_SILENT,
          POSTGRES_WAY_CUT_IN_A_LOCK ->
          way(kind, on);
      case PUBLICATIONS_DROPPED ->
          of(
              kind,
              on,
              MOMENT,
              () ->
                  Evidence.both(
                      dropped(on.publications()), evidence.rises("confab_gap_fills_total")),
              () -> on.publications().arm(3, 20),
              on::heal);
      case CLUSTER_CUT -> cluster(kind);
      case ACKS_DROPPED ->
          of(
              kind,
              on,
              MOMENT,
              () -> Evidence.both(dropped(on.acks()), evidence.recognised()),
              () -> on.acks().arm(2, 20),
              on::heal);
    };
  }

  private static Fault of(
      FaultKind kind,
      Machine on,
      Duration hold,
      Supplier<Supplier<Optional<String>>> watch,
      Runnable begin,
      Runnable end) {
    return of(kind, on.name(), hold, watch, begin, end);
  }

  private static Fault of(
      FaultKind kind,
      String target,
      Duration hold,
      Supplier<Supplier<Optional<String>>> watch,
      Runnable begin,
      Runnable end) {
    return new Fault(
        kind.title(),
        target,
        hold,
        () -> {
          Supplier<Optional<String>> effect = watch.get();
          begin.run();
          return effect;
        },
        end);
  }

  /// Nobody may have been connected to one that had just come back.
  private Supplier<Optional<String>> killed(List<Machine> victims) {
    Supplier<Optional<String>> ended = Evidence.ended(victims);
    victims.forEach(kill);
    return ended;
  }

  /// The one that is left reaches PostgreSQL, so it is not cut off although it hears nobody.
  private Fault lastOne(FaultKind kind, Machine on) {
    List<Machine> others = world.machines().stream().filter(m -> m != on).toList();
    List<Supplier<Optional<String>>> cutOff = new ArrayList<>();
    return new Fault(
        kind.title(),
        "all but " + on.name(),
        PEERS_FORGOTTEN,
        () -> {
          cutOff.add(Evidence.rises(on, CUT_OFF));
          await().until(() -> others.stream().anyMatch(Machine::isRunning));
          return killed(others.stream().filter(Machine::isRunning).toList());
        },
        () -> {
          cutOff
              .getLast()
              .get()
              .ifPresent(rose -> world.anomalies().add(rose + ", and it was the last"));
          others.forEach(restart);
        });
  }

  /// Somebody holds the lock of the room that was spoken in last, until calls wait for it.
  private Fault locked(FaultKind kind) {
    RoomGate gate = new RoomGate(servers);
    List<Integer> waited = new ArrayList<>();
    return of(
        kind,
        "the newest room",
        MOMENT,
        () -> () -> waited.stream().filter(n -> n > 0).findFirst().map(n -> n + " calls waited"),
        () -> waited.add(gate.lockBusy()),
        gate::close);
  }

  /// It reaches PostgreSQL and its clients, but neither Redis nor another node: what it stores the
  /// others find only there.
  private Fault alone(FaultKind kind, Machine on) {
    ClusterCut cut =
        new ClusterCut(ports(world.machines(), List.of(Machine::clusterPort, Machine::busPort)));
    return of(
        kind,
        on,
        LONG,
        () -> {
          Supplier<Optional<String>> lone = evidence.rises(LONE);
          Supplier<Optional<String>> away = evidence.awayFromRedis(List.of(on));
          return () -> lone.get().or(away); // how soon the others look is a matter of load
        },
        () -> {
          on.redis().conduct(Conduct.REFUSE);
          cut.begin();
        },
        () -> {
          cut.end();
          on.heal();
        });
  }

  private static Supplier<Optional<String>> dropped(Drops drops) {
    long before = drops.dropped();
    return () ->
        drops.dropped() == before
            ? Optional.empty()
            : Optional.of(drops.dropped() - before + " dropped");
  }

  private Fault redis(FaultKind kind) {
    Supplier<Supplier<Optional<String>>> away = () -> evidence.awayFromRedis(world.machines());
    return switch (kind) {
      case REDIS_KILLED ->
          of(
              kind,
              "redis",
              Duration.ofMillis(random.nextInt(300, 3_000)),
              away,
              servers.redis()::kill,
              servers.redis()::startAgain);
      case REDIS_AWAY_FOR_LONG -> // sessions are compared again and again, for whatever reason
          of(
              kind,
              "redis",
              Duration.ofSeconds(random.nextInt(15, 30)),
              () -> Evidence.both(away.get(), evidence.rises(COMPARED)),
              servers.redis()::kill,
              servers.redis()::startAgain);
      case REDIS_FROZEN ->
          of(kind, "redis", LONG, away, servers.redis()::freeze, servers.redis()::thaw);
      case REDIS_FLUSHED ->
          of(
              kind,
              "redis",
              SHORT,
              () -> this::registered,
              () -> servers.redisCommand("FLUSHALL"),
              () -> {});
      default ->
          of(
              kind,
              "redis",
              SHORT,
              away,
              () -> servers.redisCommand("CLIENT", "KILL", "TYPE", "pubsub"),
              () -> {});
    };
  }

  /// What the nodes write to an emptied Redis by themselves.
  private Optional<String> registered() {
    String size = servers.redisCommand("DBSIZE");
    return size.equals(":0") ? Optional.empty() : Optional.of(size.substring(1) + " keys anew");
  }

  private Fault postgres(FaultKind kind) {
    return switch (kind) {
      case POSTGRES_KILLED ->
          of(
              kind,
              "postgres",
              Duration.ofMillis(random.nextInt(100, 2_000)),
              evidence::unanswered,
              servers.postgres()::kill,
              servers.postgres()::start);
      case POSTGRES_FROZEN ->
          of(
              kind,
              "postgres",
              LONG,
              evidence::unanswered,
              () -> servers.signalPostgres("STOP"),
              () -> servers.signalPostgres("CONT"));
      default ->
          of(
              kind,
              "postgres",
              SHORT,
              this::restarted,
              () -> servers.killBackend(random),
              servers::awaitPostgres);
    };
  }

  /// PostgreSQL ended all its backends by itself, and nodes had to connect anew. Clients need not
  /// notice, as nodes try again for a while.
  private Supplier<Optional<String>> restarted() {
    long before = restarts();
    return Evidence.both(
        () -> restarts() > before ? Optional.of("all backends ended") : Optional.empty(),
        evidence.connected());
  }

  private long restarts() {
    return servers.postgres().log().lines().filter(l -> l.contains("reinitializing")).count();
  }

  private Fault cluster(FaultKind kind) {
    ClusterCut cut = new ClusterCut(ports(world.machines(), List.of(Machine::clusterPort)));
    return of(kind, "all nodes", LONG, () -> cut::effect, cut::begin, cut::end);
  }

  private static List<Integer> ports(List<Machine> of, List<Function<Machine, Integer>> which) {
    return of.stream().flatMap(m -> which.stream().map(port -> port.apply(m))).toList();
  }

  private Fault clients(FaultKind kind, Machine on) {
    TcpProxy way = on.clients();
    Supplier<Supplier<Optional<String>>> cut = () -> evidence.disconnectedFrom(on);
    return switch (kind) {
      case CLIENTS_RESET -> of(kind, on, SHORT, cut, way::reset, on::heal);
      case CLIENTS_CUT_AT_A_BYTE ->
          of(kind, on, MOMENT, cut, () -> way.cutAfter(random.nextInt(1, 3_000)), on::heal);
      case CLIENTS_IN_A_BLACK_HOLE ->
          of(kind, on, LONG, cut, () -> way.conduct(Conduct.LOSE_ALL), on::heal);
      case CLIENTS_NOT_ANSWERED ->
          of(kind, on, LONG, cut, () -> way.conduct(Conduct.LOSE_ANSWERS), on::heal);
      default -> of(kind, on, LONG, cut, () -> way.conduct(Conduct.LOSE_REQUESTS), on::heal);
    };
  }

  private Fault way(FaultKind kind, Machine on) {
    TcpProxy redis = on.redis();
    TcpProxy postgres = on.postgres();
    Supplier<Supplier<Optional<String>>> away = () -> evidence.awayFromRedis(List.of(on));
    int bytes = random.nextInt(1, 5_000);
    return switch (kind) {
      case REDIS_WAY_RESET -> of(kind, on, SHORT, away, redis::reset, on::heal);
      case REDIS_WAY_CUT_AT_A_BYTE ->
          of(kind, on, MOMENT, away, () -> redis.cutAfter(bytes), on::heal);
      case REDIS_WAY_IN_A_BLACK_HOLE ->
          of(kind, on, LONG, away, () -> redis.conduct(Conduct.LOSE_ALL), on::heal);
      case REDIS_WAY_NOT_ANSWERED ->
          of(kind, on, LONG, away, () -> redis.conduct(Conduct.LOSE_ANSWERS), on::heal);
      case POSTGRES_WAY_RESET ->
          new Fault(
              kind.title(),
              on.name(),
              SHORT,
              () -> Evidence.madeAnew(postgres, postgres::reset),
              on::heal);
      case REDIS_WAY_SILENT -> silent(kind, on, redis);
      case POSTGRES_WAY_SILENT -> silent(kind, on, postgres);
      case POSTGRES_WAY_CUT_AT_A_BYTE ->
          new Fault(
              kind.title(),
              on.name(),
              MOMENT,
              () -> Evidence.madeAnew(postgres, () -> postgres.cutAfter(bytes)),
              on::heal);
      case POSTGRES_WAY_CUT_IN_A_LOCK ->
          of(
              kind,
              on,
              SHORT,
              evidence::unanswered,
              () -> new CutInALock(world, servers, on).run(),
              on::heal);
      default ->
          of(kind, on, LONG, evidence::unanswered, () -> postgres.conduct(Conduct.HOLD), on::heal);
    };
  }

  /// Open connections carry nothing any more, and new ones work: it must not last until the end
  /// of the fault.
  private static Fault silent(FaultKind kind, Machine on, TcpProxy way) {
    return new Fault(
        kind.title(), on.name(), LONG, () -> Evidence.madeAnew(way, way::silence), on::heal);
  }
}
