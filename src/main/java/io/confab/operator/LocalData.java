package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.account.AccountDomain;
import io.confab.bus.Bus;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.Config;
import io.confab.embedded.Servers;
import io.confab.feed.RedisExchange;
import io.confab.marker.DriftStore;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.Migrations;
import io.confab.postgres.ServerCheck;
import io.confab.protocol.NodeId;
import io.confab.redis.RedisCommands;
import io.confab.room.CoMemberStore;
import io.confab.room.RoomChanges;
import io.confab.room.RoomDomain;
import io.confab.security.SecurityLog;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// The data without a node: servers that run only for these commands, and the operators' commands
/// on them. Nodes elsewhere on the same servers are notified as by a node.
public final class LocalData implements LocalCommands {
  private static final int TRIES = 100;
  private static final long BETWEEN_TRIES_MS = 20;

  private final Servers servers;
  private final Vertx vertx;
  private final RedisExchange redis;
  private final AccountDomain accounts;
  private final Map<String, ManagementCommand> commands;

  private LocalData(Servers servers, Vertx vertx, Config config) {
    this.servers = servers;
    this.vertx = vertx;
    ServerCheck.require(servers.postgres().node());
    Migrations migrations = new Migrations(servers.postgres());
    migrations.migrate();
    Database database = new Database(vertx, servers.postgres().node(), config.postgres());
    Instance instance = Instance.read(database).await();
    NodeId id = new NodeId("command-" + UUID.randomUUID().toString().substring(0, 8));
    Bus bus = new Bus(vertx, Peers.alone(new Peer(id, Map.of())));
    this.redis = RedisExchange.open(vertx, bus, servers.redis(), config, instance, new Meters());
    reach(redis.commands(), TRIES).await();
    this.accounts =
        AccountDomain.create(
            vertx,
            database,
            instance,
            redis.hub(),
            RoomDomain.memberships(
                database,
                new RoomChanges(
                    database,
                    redis.hub(),
                    (_, _) -> {}, // what an account had that cannot sign in any more lapses
                    Timing.of(vertx),
                    config.postgres())),
            new CoMemberStore(database),
            _ -> Future.succeededFuture(Set.of()),
            config.accounts());
    this.commands =
        new OperatorCommands(
                vertx,
                accounts.operations(),
                database.epochs(),
                migrations,
                new DriftStore(database))
            .byName(new SecurityLog(_ -> {}));
  }

  /// Waits for Redis, but not for ever: without it nodes are not notified.
  private Future<Void> reach(RedisCommands commands, int tries) {
    return commands
        .ping()
        .recover(
            away ->
                tries == 0
                    ? Future.succeededFuture()
                    : vertx
                        .timer(BETWEEN_TRIES_MS, TimeUnit.MILLISECONDS)
                        .compose(_ -> reach(commands, tries - 1)));
  }

  /// Blocks until the servers run and the schema is that of this jar.
  public static LocalData open(Config config) {
    Servers servers = Servers.open(config);
    Vertx vertx = Vertx.vertx();
    try {
      return new LocalData(servers, vertx, config);
    } catch (RuntimeException failure) {
      vertx.close().await();
      servers.close();
      throw failure;
    }
  }

  @Override
  public JsonNode run(String command, JsonNode body) {
    return Optional.ofNullable(commands.get(command)).orElseThrow().run(body).await();
  }

  @Override
  public void close() {
    redis.close().otherwiseEmpty().await();
    accounts.passwords().close();
    vertx.close().await();
    servers.close();
  }
}
