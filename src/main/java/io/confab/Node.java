package io.confab;

import static io.confab.Steps.await;

import io.confab.account.AccountDomain;
import io.confab.account.ApiKeyId;
import io.confab.account.DeviceNews;
import io.confab.bus.Bus;
import io.confab.bus.BusKey;
import io.confab.bus.BusSide;
import io.confab.bus.Clustering;
import io.confab.bus.Clustering.Joined;
import io.confab.bus.Peer;
import io.confab.config.Config;
import io.confab.config.ConnectionRoom;
import io.confab.config.MemoryShares;
import io.confab.embedded.ServerState;
import io.confab.embedded.Servers;
import io.confab.feed.LoneNodeStore;
import io.confab.feed.RedisExchange;
import io.confab.key.KeyHandler;
import io.confab.limit.ConnectionLimit;
import io.confab.listener.Admission;
import io.confab.listener.DirectMemory;
import io.confab.listener.GuardedTransport;
import io.confab.listener.ServerCertificate;
import io.confab.logging.LineBudget;
import io.confab.marker.DriftStore;
import io.confab.marker.DriftWatch;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.operator.HealthCheck;
import io.confab.operator.ManagementServer;
import io.confab.operator.OperatorCommands;
import io.confab.operator.PastStore;
import io.confab.operator.Readiness;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.Migrations;
import io.confab.postgres.ServerCheck;
import io.confab.presence.PresenceShards;
import io.confab.protocol.NodeId;
import io.confab.queue.QueueRetentionStore;
import io.confab.queue.QueueWatch;
import io.confab.retention.Rule;
import io.confab.retention.Sweeper;
import io.confab.room.CoMemberStore;
import io.confab.room.InvitationWatch;
import io.confab.room.RoomChanges;
import io.confab.room.RoomDomain;
import io.confab.seat.SeatCommand;
import io.confab.security.SecurityEvent;
import io.confab.security.SecurityLog;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running Confab node: everything is built here in reading order and closed in reverse.
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final Future<Void> OK = Future.succeededFuture();
  private static final Duration CHECK_PATIENCE = Duration.ofSeconds(2);

  private final Config config;
  private final Steps started;
  private int port;
  private int managementPort;
  private @Nullable PastStore past;
  private volatile boolean stopping;

  private Node(Config config, Runnable step) {
    this.config = config;
    this.started = new Steps(step);
  }

  /// Blocks until the node serves; what was started is stopped again when something fails.
  public static Node start(Config config) {
    return start(config, () -> {});
  }

  /// @param step is run after each step of the start, and ends it by throwing
  static Node start(Config config, Runnable step) {
    Node node = new Node(config, step);
    try {
      node.start();
      return node;
    } catch (Throwable failure) { // a checked one may come out of a future
      node.close();
      throw failure;
    }
  }

  private void start() {
    long began = System.nanoTime();
    NodeId id = new NodeId(config.node().id().orElseGet(() -> "n-" + shortId()));
    ServerCertificate.refuseRenegotiation();
    LOG.info("Starting node {} with {}", id, config.node().roles());
    StartCheck.require(config);
    FreePorts.require(config);
    Steps.waiting(
        config.postgres().url().isEmpty() || config.redis().url().isEmpty()
            ? "the embedded servers"
            : "the data folder");
    Servers servers = Servers.open(config);
    started.add("servers", servers);
    Steps.waiting("the schema of the database");
    ServerCheck.require(servers.postgres().node());
    Migrations migrations = new Migrations(servers.postgres());
    migrations.migrate();

    Meters meters = new Meters();
    started.add(
        "meters",
        meters.process(
            Optional.ofNullable(Node.class.getPackage().getImplementationVersion())
                .orElse("source")));
    meters.directMemory(DirectMemory::used, DirectMemory::most);
    Peer local = new Peer(id, Lanes.of(config));
    BusKey key = new BusKey(Instance.publishKey(servers.postgres().node()));
    Joined joined = join(local, key, meters, connections(meters));
    Vertx vertx = joined.vertx();
    started.add("vertx", () -> await(vertx.close()));
    Database database = new Database(vertx, servers.postgres().node(), config.postgres());
    started.add("database", () -> await(database.close()));
    meters.storageFailures(database::storageFailures);
    Instance instance = await("PostgreSQL to answer", Instance.readPatiently(database, vertx));
    if (config.cluster().enabled()) {
      meters.peers(joined.peers()::others);
    }
    Bus bus =
        new Bus(vertx, joined.peers(), key, meters.counting(Meter.BUS_RECEIVED, BusSide.class));
    RedisExchange redis = RedisExchange.open(vertx, bus, servers.redis(), config, instance, meters);
    started.add("redis", () -> await(redis.close()));

    RoomChanges changes =
        new RoomChanges(
            database,
            redis.hub(),
            (room, members) -> bus.request(new SeatCommand.Refresh(room, members)),
            Timing.of(vertx),
            config.postgres());
    AccountDomain accounts =
        AccountDomain.create(
            vertx,
            database,
            instance,
            redis.hub(),
            RoomDomain.memberships(database, changes),
            new CoMemberStore(database),
            RoleVerticles.connected(bus),
            config.accounts());
    started.add("passwords", () -> accounts.passwords().close());
    SecurityLog security = securityLog(vertx, meters);
    accounts
        .operations()
        .keys()
        .start(
            added -> security.happened(SecurityEvent.KEY_ROTATED, "local", Map.of("key", added)));
    started.add("keys", accounts.operations().keys());
    accounts.operations().removals().start();
    started.add("removals", accounts.operations().removals());
    if (config.apiKey().isPresent()) {
      accounts.operations().apiKeys().start(ApiKeyId.of(config.apiKey()));
      started.add("api keys", accounts.operations().apiKeys());
    }
    InvitationWatch invitations = new InvitationWatch(vertx, database, redis.hub()::signal);
    invitations.start();
    started.add("invitations", invitations);
    sweep(vertx, database, accounts.operations().news(), meters);
    QueueWatch queues = new QueueWatch(vertx, database, redis.hub(), meters);
    queues.start();
    started.add("queues", queues);
    DriftWatch drift =
        new DriftWatch(
            vertx,
            new DriftStore(database),
            meters::unreadDrifted,
            new SplittableRandom(System.nanoTime()));
    drift.start();
    started.add("drift watch", drift);
    PresenceShards shards = PresenceShards.of(servers.redis());
    new RoleVerticles(config, vertx, bus, database, redis, changes)
        .start(started, accounts, shards, instance.publishKey(), queues, meters);

    PublicEdge edge = new PublicEdge(config, vertx, shards, meters);
    edge.start(started, bus, redis, accounts.passwords(), security);
    port = edge.port();
    redis.digests().meetInDatabase(new LoneNodeStore(database));
    redis
        .digests()
        .sendAwayWhenCutOff(
            database::ping,
            () -> {
              meters.isolated();
              edge.sendAway();
            });

    OperatorCommands commands =
        new OperatorCommands(
            vertx, accounts.operations(), database.epochs(), migrations, new DriftStore(database));
    Readiness readiness = new Readiness(healthChecks(servers, database, redis), CHECK_PATIENCE);
    readiness.dependencies().forEach(name -> meters.dependency(name, () -> readiness.isUp(name)));
    ManagementServer management =
        new ManagementServer(
            vertx,
            config.management(),
            servers.dataDir().path(),
            readiness,
            meters::scrape,
            commands.byName(security));
    past = new PastStore(servers.postgres(), database.epochs());
    managementPort = await("the management port", management.start());
    started.add("management", () -> await(management.close()));
    started.add("clients", edge::drain);
    LOG.info("Started in {}", Steps.since(began));
  }

  /// A rule about another table is added here.
  private void sweep(Vertx vertx, Database database, DeviceNews news, Meters meters) {
    List<Rule> rules = new ArrayList<>(AccountDomain.retention(database, config.retention()));
    rules.addAll(RoomDomain.retention(database, config.retention()));
    rules.addAll(KeyHandler.retention());
    rules.addAll(QueueRetentionStore.rules(config, news::tell));
    Sweeper sweeper =
        new Sweeper(Timing.of(vertx), database, new SecureRandom().nextLong(), rules, meters);
    sweeper.start(vertx);
    started.add("retention", sweeper);
  }

  private SecurityLog securityLog(Vertx vertx, Meters meters) {
    SecurityLog log = new SecurityLog(meters.counting(Meter.SECURITY_EVENTS, SecurityEvent.class));
    vertx.setPeriodic(LineBudget.MINUTE_MS, _ -> log.endMinute());
    started.add("security log", log::endMinute);
    return log;
  }

  private ConnectionLimit connections(Meters meters) {
    ConnectionLimit connections =
        new ConnectionLimit(
            config,
            ConnectionRoom.ofProcess().connections(config),
            meters.counting(Meter.CONNECTIONS_REFUSED, ConnectionLimit.Bound.class),
            System::nanoTime);
    meters.connectionsOpen(connections::open);
    return connections;
  }

  private Joined join(Peer local, BusKey key, Meters meters, Admission admission) {
    Function<VertxOptions, VertxBuilder> builder =
        options ->
            meters
                .measured(options)
                .withTransport(
                    new GuardedTransport(config.http(), admission, MemoryShares.ofProcess()));
    return config.cluster().enabled()
        ? await("the other nodes", Clustering.join(builder, config.cluster(), key, local))
        : Clustering.alone(builder, local);
  }

  private List<HealthCheck> healthChecks(Servers servers, Database database, RedisExchange redis) {
    return List.of(
        new HealthCheck("node", () -> stopping ? Future.failedFuture("stopping") : OK),
        new HealthCheck(
            "postgresql",
            () ->
                database
                    .ping()
                    .recover(failure -> explain(failure, servers.postgresState()))
                    .compose(_ -> database.storage())),
        new HealthCheck(
            "redis",
            () ->
                redis
                    .commands()
                    .ping()
                    .recover(failure -> explain(failure, servers.redisState()))));
  }

  private static Future<Void> explain(Throwable failure, Optional<ServerState> embedded) {
    return embedded
        .<Future<Void>>map(state -> Future.failedFuture(state.phase() + ": " + state.lastLine()))
        .orElseGet(() -> Future.failedFuture(failure));
  }

  /// The port of API and sockets.
  public int port() {
    return port;
  }

  public int managementPort() {
    return managementPort;
  }

  /// For the making of the demo world.
  public PastStore past() {
    return Objects.requireNonNull(past);
  }

  /// Reports itself as not ready, lets clients finish and leave, then stops what was started, the
  /// last one first.
  @Override
  public void close() {
    stopping = true;
    started.close();
  }

  private static String shortId() {
    return UUID.randomUUID().toString().substring(0, 8);
  }
}
