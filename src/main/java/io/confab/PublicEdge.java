package io.confab;

import static io.confab.Steps.await;

import io.confab.account.Passwords;
import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.config.NodeRole;
import io.confab.config.TlsMode;
import io.confab.feed.RedisExchange;
import io.confab.http.AnswerWatch;
import io.confab.limit.Budget;
import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.limit.RedisBuckets;
import io.confab.limit.RedisTries;
import io.confab.limit.SignInThrottle;
import io.confab.listener.CertificateWatch;
import io.confab.listener.ServerCertificate;
import io.confab.listener.TrustedProxies;
import io.confab.logging.AccessLog;
import io.confab.logging.LineBudget;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.presence.PresenceShards;
import io.confab.security.SecurityLog;
import io.confab.socket.RegisteredSessions;
import io.confab.socket.SocketEdge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The public port of a node: an [EdgeVerticle] on each of its event loops, all behind one
/// listener. A node without sockets and API has none.
final class PublicEdge {
  private static final Logger LOG = LoggerFactory.getLogger(PublicEdge.class);

  private final Config config;
  private final Vertx vertx;
  private final PresenceShards shards;
  private final Meters meters;
  private final List<EdgeVerticle> verticles = new ArrayList<>();

  PublicEdge(Config config, Vertx vertx, PresenceShards shards, Meters meters) {
    this.config = config;
    this.vertx = vertx;
    this.shards = shards;
    this.meters = meters;
  }

  void start(Steps steps, Bus bus, RedisExchange redis, Passwords passwords, SecurityLog security) {
    int loops = Math.max(bus.localLanes(NodeRole.SOCKETS), bus.localLanes(NodeRole.HTTP));
    if (loops == 0) {
      return;
    }
    Optional<AccessLog> access =
        config.http().accessLog() ? Optional.of(accessLog(steps)) : Optional.empty();
    RegisteredSessions sessions =
        new RegisteredSessions(vertx, bus, bus.node(), redis.hub(), shards);
    meters.accountsPresent(sessions::accounts);
    steps.add("presence", () -> await(sessions.leave()));
    SocketEdge edge =
        new SocketEdge(
            bus.node(), config, bus, redis.hub(), sessions, meters, limits(redis), access);
    Optional<ServerCertificate> certificate = certificate();
    for (int i = 0; i < loops; i++) {
      EdgeVerticle verticle =
          new EdgeVerticle(
              edge,
              certificate,
              passwords,
              new AnswerWatch(meters::httpAnswered, security, access));
      steps.deploy(vertx, "the listener", verticle);
      verticles.add(verticle);
    }
    certificate.ifPresent(this::follow);
    LOG.info("Listening on {}:{}", config.http().host(), port());
    if (config.http().tls().mode() == TlsMode.PROXY
        && config.http().origins().equals(List.of("own"))) {
      LOG.warn("http.origins names no page; behind a proxy, list the address that people open");
    }
  }

  private AccessLog accessLog(Steps steps) {
    AccessLog log = new AccessLog();
    vertx.setPeriodic(LineBudget.MINUTE_MS, _ -> log.endMinute());
    steps.add("access log", log::endMinute);
    return log;
  }

  private EdgeLimits limits(RedisExchange redis) {
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
        new TrustedProxies(config.http()),
        Budget.withRoomFor(config.limits().bulkRequestBytes(), MemoryShares.ofProcess().bodies()));
  }

  private Optional<ServerCertificate> certificate() {
    if (config.http().tls().mode() != TlsMode.FILES) {
      return Optional.empty();
    }
    return Optional.of(ServerCertificate.read(vertx, config.http().tls()));
  }

  /// Shows another certificate when the files change; all verticles share one listener.
  private void follow(ServerCertificate shown) {
    EdgeVerticle first = verticles.getFirst();
    CertificateWatch watch =
        new CertificateWatch(
            vertx,
            config.http().tls(),
            shown,
            other ->
                first
                    .show(other)
                    .onFailure(failure -> LOG.error("The certificate is not shown", failure)));
    meters.certificateExpires(() -> watch.expires().getEpochSecond());
    watch.start();
  }

  /// The port of API and sockets; 0 without them.
  int port() {
    return verticles.isEmpty() ? 0 : verticles.getLast().port();
  }

  /// Closes all sockets so that clients reconnect elsewhere. For any thread.
  void sendAway() {
    verticles.forEach(EdgeVerticle::sendAway);
  }

  /// Blocks until requests are answered and clients have left; accepts no new ones meanwhile.
  void drain() {
    long began = System.nanoTime();
    LOG.info("Draining {} sockets and the requests under way", meters.socketsOpen());
    await(Future.join(verticles.stream().map(EdgeVerticle::drain).toList()));
    LOG.info("Drained in {}, {} sockets left", Steps.since(began), meters.socketsOpen());
  }
}
