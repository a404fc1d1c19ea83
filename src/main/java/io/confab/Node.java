package io.confab;

import io.confab.account.AccountDomain;
import io.confab.account.outside.OutsideDomain;
import io.confab.bus.Bus;
import io.confab.bus.Clustering;
import io.confab.bus.Clustering.Joined;
import io.confab.bus.Peer;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.config.TlsMode;
import io.confab.embedded.ServerState;
import io.confab.embedded.Servers;
import io.confab.feed.EventStore;
import io.confab.feed.RedisExchange;
import io.confab.feed.VisibilityStore;
import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.limit.RedisBuckets;
import io.confab.limit.RedisTries;
import io.confab.limit.SignInThrottle;
import io.confab.listener.CertificateWatch;
import io.confab.listener.ServerCertificate;
import io.confab.listener.TrustedProxies;
import io.confab.message.HistoryStore;
import io.confab.message.LogStore;
import io.confab.message.MessageHandler;
import io.confab.message.MessageWriters;
import io.confab.message.PersistenceVerticle;
import io.confab.message.VersionStore;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.operator.HealthCheck;
import io.confab.operator.ManagementServer;
import io.confab.operator.OperatorCommands;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.Migrations;
import io.confab.postgres.ServerCheck;
import io.confab.presence.PresenceHandler;
import io.confab.presence.PresenceVerticle;
import io.confab.presence.RedisConnectionRegistry;
import io.confab.protocol.NodeId;
import io.confab.room.CoMemberStore;
import io.confab.room.RoomDomain;
import io.confab.socket.RegisteredSessions;
import io.confab.socket.SocketEdge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running Confab node: everything is built here in reading order and closed in reverse.
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /// How long each step of starting and stopping may take.
  private static final long PATIENCE_SECONDS = 60;

  private static final Duration GATHER_CONNECTS = Duration.ofMillis(50);

  private static final Future<Void> OK = Future.succeededFuture();

  private final Config config;
  private final Runnable step;
  private final List<Step> started = new ArrayList<>();
  private int port;
  private int managementPort;
  private volatile boolean stopping;

  /// Something that was started, and how to stop it.
  private record Step(String name, AutoCloseable stop) {}

  private Node(Config config, Runnable step) {
    this.config = config;
    this.step = step;
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
    NodeId id = new NodeId(config.node().id().orElseGet(() -> "n-" + shortId()));
    LOG.info("Starting node {} with {}", id, config.node().roles());
    Servers servers = Servers.open(config);
    stopWith("servers", servers);
    ServerCheck.require(servers.postgres());
    Migrations migrations = new Migrations(servers.postgres());
    migrations.migrate();

    Meters meters = new Meters();
    Peer local = new Peer(id, Lanes.of(config));
    Joined joined = join(local, meters);
    stopWith("vertx", () -> await(joined.vertx().close()));
    Database database = new Database(joined.vertx(), servers.postgres(), config.postgres());
    stopWith("database", () -> await(database.close()));
    Instance instance = await(Instance.read(database));
    Bus bus = new Bus(joined.vertx(), joined.peers());
    RedisExchange redis =
        RedisExchange.open(joined.vertx(), bus, servers.redis(), config, instance, meters);
    stopWith("redis", () -> await(redis.close()));

    AccountDomain accounts =
        AccountDomain.create(
            joined.vertx(),
            database,
            instance,
            redis.hub(),
            RoomDomain.memberships(database, redis.hub()),
            new CoMemberStore(database)::find,
            config.accounts());
    stopWith("passwords", () -> accounts.passwords().close());
    accounts.operations().keys().start();
    stopWith("keys", accounts.operations().keys());
    deployPersistence(joined, bus, database, redis, meters);
    deployPresence(joined, bus, redis);
    deployRouting(joined, bus, handlers(joined, bus, database, redis, accounts, meters));
    List<EdgeVerticle> edges = deployEdge(joined, bus, redis, id, meters);
    redis
        .digests()
        .sendAwayWhenCutOff(
            database::ping,
            () -> {
              meters.isolated();
              edges.forEach(EdgeVerticle::sendAway);
            });

    OperatorCommands commands =
        new OperatorCommands(joined.vertx(), accounts.operations(), database.epochs(), migrations);
    ManagementServer management =
        new ManagementServer(
            joined.vertx(),
            config.management(),
            servers.dataDir().path(),
            healthChecks(servers, database, redis),
            meters::scrape,
            commands.byName());
    managementPort = await(management.start());
    stopWith("management", () -> await(management.close()));
    stopWith("clients", () -> await(Future.join(edges.stream().map(EdgeVerticle::drain).toList())));
  }

  private Joined join(Peer local, Meters meters) {
    return config.cluster().enabled()
        ? await(Clustering.join(meters::measured, config.cluster(), local))
        : Clustering.alone(meters::measured, local);
  }

  private void deployPersistence(
      Joined joined, Bus bus, Database database, RedisExchange redis, Meters meters) {
    EventStore events = new EventStore(database);
    VisibilityStore visibilities = new VisibilityStore(database);
    MessageWriters writers = new MessageWriters(database, redis.hub(), config, meters);
    deploy(
        joined,
        NodeRole.PERSISTENCE,
        bus,
        lane -> new PersistenceVerticle(bus, lane, writers::create, events, visibilities));
  }

  private void deployPresence(Joined joined, Bus bus, RedisExchange redis) {
    PresenceHandler registry =
        new PresenceHandler(
            new RedisConnectionRegistry(
                redis.commands(), redis.keys(), () -> UUID.randomUUID().toString()));
    deploy(
        joined, NodeRole.PRESENCE, bus, lane -> new PresenceVerticle(bus, lane, registry::handle));
  }

  private RoutingVerticle.Handlers handlers(
      Joined joined,
      Bus bus,
      Database database,
      RedisExchange redis,
      AccountDomain accounts,
      Meters meters) {
    RoomDomain rooms =
        RoomDomain.create(database, redis.hub(), config.limits(), connects(joined.vertx()));
    OutsideDomain bearers =
        OutsideDomain.create(
            joined.vertx(),
            database,
            accounts.authentication(),
            config.accounts().issuers(),
            connects(joined.vertx()));
    LogStore log = new LogStore(database, new EventStore(database), new VisibilityStore(database));
    MessageHandler messages =
        new MessageHandler(
            new HistoryStore(database)::read, log::read, new VersionStore(database)::read);
    return new RoutingVerticle.Handlers(
        bearers.handler()::handle,
        accounts.handler()::handle,
        rooms.handler()::handle,
        messages::handle);
  }

  /// Connects are gathered while many come (spec §2.2).
  private static BatchedRead.Pace connects(Vertx vertx) {
    return new BatchedRead.Pace(
        GATHER_CONNECTS,
        System::nanoTime,
        (wait, read) -> vertx.setTimer(Math.max(1, wait.toMillis()), _ -> read.run()));
  }

  private void deployRouting(Joined joined, Bus bus, RoutingVerticle.Handlers handlers) {
    deploy(joined, NodeRole.ROUTING, bus, lane -> new RoutingVerticle(bus, lane, handlers));
  }

  private List<EdgeVerticle> deployEdge(
      Joined joined, Bus bus, RedisExchange redis, NodeId id, Meters meters) {
    int loops = Math.max(bus.localLanes(NodeRole.SOCKETS), bus.localLanes(NodeRole.HTTP));
    if (loops == 0) {
      return List.of();
    }
    RegisteredSessions registry = new RegisteredSessions(joined.vertx(), bus, id, redis.hub());
    SocketEdge edge =
        new SocketEdge(
            id,
            config,
            bus,
            redis.hub(),
            registry,
            meters,
            admission(joined.vertx(), redis, meters));
    Optional<ServerCertificate> certificate = certificate(joined.vertx());
    List<EdgeVerticle> edges = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      EdgeVerticle verticle = new EdgeVerticle(edge, certificate, meters::httpAnswered);
      deploy(joined, "edge-" + i, verticle);
      port = verticle.port();
      edges.add(verticle);
    }
    certificate.ifPresent(shown -> follow(joined.vertx(), shown, edges.getFirst(), meters));
    LOG.info("Listening on {}:{}", config.http().host(), port);
    return edges;
  }

  private Optional<ServerCertificate> certificate(Vertx vertx) {
    if (config.http().tls().mode() != TlsMode.FILES) {
      return Optional.empty();
    }
    try {
      return Optional.of(ServerCertificate.read(vertx, config.http().tls()));
    } catch (IOException unusable) {
      throw new UncheckedIOException(unusable);
    }
  }

  /// All edges share one listener.
  private void follow(Vertx vertx, ServerCertificate shown, EdgeVerticle edge, Meters meters) {
    CertificateWatch watch =
        new CertificateWatch(
            vertx,
            config.http().tls(),
            shown,
            other ->
                edge.show(other)
                    .onFailure(failure -> LOG.error("The certificate is not shown", failure)));
    meters.certificateExpires(() -> watch.expires().getEpochSecond());
    watch.start();
  }

  private EdgeLimits admission(Vertx vertx, RedisExchange redis, Meters meters) {
    Limits limits =
        new Limits(
            config.rates(),
            new RedisBuckets(redis.commands(), redis.keys()),
            meters.counting(Meter.RATE_LIMITED, Limit.class),
            System::nanoTime);
    RedisTries tries = new RedisTries(vertx, redis.commands(), redis.keys());
    return new EdgeLimits(
        limits,
        new SignInThrottle(limits, tries, System::nanoTime),
        new TrustedProxies(config.http()));
  }

  private void deploy(Joined joined, NodeRole role, Bus bus, IntFunction<VerticleBase> verticles) {
    for (int lane = 0; lane < bus.localLanes(role); lane++) {
      deploy(joined, role.key() + "-" + lane, verticles.apply(lane));
    }
  }

  private void deploy(Joined joined, String name, VerticleBase verticle) {
    String deployment = await(joined.vertx().deployVerticle(verticle));
    stopWith(name, () -> await(joined.vertx().undeploy(deployment)));
  }

  private List<HealthCheck> healthChecks(Servers servers, Database database, RedisExchange redis) {
    return List.of(
        new HealthCheck("node", () -> stopping ? Future.failedFuture("stopping") : OK),
        new HealthCheck(
            "postgresql",
            () -> database.ping().recover(failure -> explain(failure, servers.postgresState()))),
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

  private void stopWith(String name, AutoCloseable stop) {
    started.add(new Step(name, stop));
    step.run();
  }

  /// No longer ready, it lets clients finish and leave; then it stops what was started, the
  /// last one first. What fails to stop does not keep the rest running.
  @Override
  public void close() {
    stopping = true;
    for (Step step : started.reversed()) {
      try {
        step.stop().close();
      } catch (Exception failure) {
        LOG.warn("{} did not stop well", step.name(), failure);
      }
    }
    started.clear();
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new IllegalStateException("not done within " + PATIENCE_SECONDS + " s", late);
    }
  }

  private static String shortId() {
    return UUID.randomUUID().toString().substring(0, 8);
  }
}
