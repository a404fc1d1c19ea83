package io.confab;

import io.confab.account.AccountDomain;
import io.confab.account.outside.OutsideDomain;
import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.feed.EventStore;
import io.confab.feed.RedisExchange;
import io.confab.feed.VisibilityStore;
import io.confab.key.KeyHandler;
import io.confab.marker.MarkerHandler;
import io.confab.message.MessageHandler;
import io.confab.message.MessageWriters;
import io.confab.message.PersistenceVerticle;
import io.confab.metrics.Meters;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.FindConnections;
import io.confab.presence.PresenceDomain;
import io.confab.presence.PresenceHandler;
import io.confab.presence.PresenceShards;
import io.confab.presence.PresenceVerticle;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.queue.EnvelopeHandler;
import io.confab.queue.QueueHandler;
import io.confab.queue.QueueWakes;
import io.confab.queue.QueueWatch;
import io.confab.room.RoomChanges;
import io.confab.room.RoomDomain;
import io.confab.seat.SeatDomain;
import io.confab.seat.SeatHandler;
import io.confab.seat.SeatVerticle;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/// The verticles that serve commands of the bus: for each role of the node as many as it has
/// lanes.
final class RoleVerticles {
  private static final Duration GATHER_CONNECTS = Duration.ofMillis(50);
  private static final Duration GATHER_TYPING = Duration.ofMillis(100);
  private static final Duration GATHER_ACKS = Duration.ofMillis(50);

  private final Config config;
  private final Vertx vertx;
  private final Bus bus;
  private final Database database;
  private final RedisExchange redis;
  private final RoomChanges changes;

  RoleVerticles(
      Config config,
      Vertx vertx,
      Bus bus,
      Database database,
      RedisExchange redis,
      RoomChanges changes) {
    this.config = config;
    this.vertx = vertx;
    this.bus = bus;
    this.database = database;
    this.redis = redis;
    this.changes = changes;
  }

  /// @param seatSecret seals places in lines; all nodes share it
  /// @param queues ends what is due in queues
  void start(
      Steps steps,
      AccountDomain accounts,
      PresenceShards shards,
      byte[] seatSecret,
      QueueWatch queues,
      Meters meters) {
    EventStore events = new EventStore(database);
    VisibilityStore visibilities = new VisibilityStore(database);
    MessageWriters writers = new MessageWriters(database, redis.hub(), config, meters);
    deploy(
        steps,
        NodeRole.PERSISTENCE,
        lane -> new PersistenceVerticle(bus, lane, writers, events, visibilities));

    if (bus.localLanes(NodeRole.PRESENCE) > 0) {
      PresenceHandler presence =
          PresenceDomain.start(
              vertx,
              bus.node(),
              new PresenceDomain.Storage(database, redis.commands(), redis.keys(), shards),
              redis.hub(),
              meters::presenceChanged);
      steps.add("presence log", () -> Steps.await(presence.close()));
      deploy(steps, NodeRole.PRESENCE, lane -> new PresenceVerticle(bus, lane, presence::handle));
      SeatHandler seats =
          SeatDomain.start(
              vertx,
              bus.node(),
              new SeatDomain.Storage(database, redis.commands(), redis.keys(), seatSecret),
              redis.hub(),
              meters);
      deploy(steps, NodeRole.PRESENCE, lane -> new SeatVerticle(bus, lane, seats));
    }

    MarkerHandler markers =
        new MarkerHandler(vertx, database, redis.hub(), config.persistence().markerGather());
    markers.start();
    steps.add("markers", markers);
    QueueWakes wakes =
        new QueueWakes(vertx, database, config.queues().wakeAfter(), _ -> meters.deviceWoken());
    wakes.start(redis.hub());
    steps.add("wakes", wakes);
    RoutingVerticle.Handlers handlers = handlers(accounts, markers, queues, meters);
    deploy(steps, NodeRole.ROUTING, lane -> new RoutingVerticle(bus, lane, handlers));
  }

  private RoutingVerticle.Handlers handlers(
      AccountDomain accounts, MarkerHandler markers, QueueWatch queues, Meters meters) {
    OutsideDomain bearers =
        OutsideDomain.create(
            vertx,
            database,
            accounts.authentication(),
            config.accounts().issuers(),
            connected(bus),
            connects());
    RoomDomain rooms = RoomDomain.create(database, changes, config.limits(), connects());
    return new RoutingVerticle.Handlers(
        bearers.handler()::handle,
        accounts.handler()::handle,
        rooms.handler()::handle,
        MessageHandler.of(database, BatchedRead.Pace.of(vertx, GATHER_TYPING, 2))::handle,
        markers::handle,
        KeyHandler.of(database, redis.hub(), accounts.operations().news(), config.keys(), meters)
            ::handle,
        new EnvelopeHandler(database)::handle,
        QueueHandler.of(
                database,
                redis.hub(),
                BatchedRead.Pace.of(vertx, GATHER_ACKS, 2),
                queues::expireSome,
                (device, version) -> accounts.operations().news().tell(device.account(), version),
                meters)
            ::handle);
  }

  /// The devices of an account that have a session now.
  static Function<AccountId, Future<Set<DeviceId>>> connected(Bus bus) {
    return account -> bus.request(new FindConnections(account)).map(Connections::devices);
  }

  /// While many clients connect, their reads are gathered (spec §2.2).
  private BatchedRead.Pace connects() {
    return BatchedRead.Pace.of(vertx, GATHER_CONNECTS, 2);
  }

  private void deploy(Steps steps, NodeRole role, IntFunction<VerticleBase> verticles) {
    for (int lane = 0; lane < bus.localLanes(role); lane++) {
      steps.deploy(vertx, role.wire(), verticles.apply(lane));
    }
  }
}
