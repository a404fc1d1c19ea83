package io.confab.seat;

import io.confab.feed.Announcer;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// The seats of a node that has the role, put together.
public final class SeatDomain {
  private SeatDomain() {}

  /// Where it keeps what it knows.
  ///
  /// @param secret that all nodes share
  public record Storage(Database database, RedisCommands commands, RedisKeys keys, byte[] secret) {}

  /// Begins the regular work, too.
  public static SeatHandler start(
      Vertx vertx, NodeId node, Storage storage, Announcer announcer, Meters meters) {
    RedisSeats redis = new RedisSeats(storage.commands(), storage.keys());
    return start(vertx, node, storage, redis, announcer, meters);
  }

  static SeatHandler start(
      Vertx vertx,
      NodeId node,
      Storage storage,
      RedisSeats redis,
      Announcer announcer,
      Meters meters) {
    SeatStore store = new SeatStore(storage.database());
    SeatEpochs epochs =
        new SeatEpochs(storage.commands()::instances, store::look, System::nanoTime);
    epochs.start(vertx);
    SeatGate gate = new SeatGate(Timing.of(vertx), new SplittableRandom());
    SeatRooms rooms =
        new SeatRooms(
            epochs, store, announcer, changes -> count(changes, meters), gate, Timing.of(vertx));
    SeatSweep sweep = new SeatSweep(sources(node, epochs, rooms, redis, store), System::nanoTime);
    sweep.start(vertx);
    meters.seats(
        () -> sweep.totals().inside(),
        () -> sweep.totals().offers(),
        () -> sweep.totals().waiting(),
        () -> epochs.terms().filter(terms -> terms.pause().isZero()).isEmpty());
    return new SeatHandler(
        rooms,
        redis,
        store,
        new SeatPlace(storage.secret(), InstantSource.system()),
        gate,
        Timing.of(vertx));
  }

  private static void count(List<SeatChange> changes, Meters meters) {
    for (SeatChange change : changes) {
      if (change.waitedMs() >= 0) {
        meters.seatWaitedFor(Duration.ofMillis(change.waitedMs()));
      }
    }
  }

  private static SeatSweep.Sources sources(
      NodeId node, SeatEpochs epochs, SeatRooms rooms, RedisSeats redis, SeatStore store) {
    return new SeatSweep.Sources() {
      @Override
      public Future<Boolean> leads() {
        return redis.isSweeper(node.value(), SeatSweep.LEASE);
      }

      @Override
      public Future<Map<RoomId, Capacity>> inUse() {
        return epochs
            .terms()
            .map(terms -> store.inUse(terms.epoch(), SeatSweep.MOST))
            .orElseGet(() -> Future.failedFuture(Refusal.unavailable("the epoch is not known")));
      }

      @Override
      public Future<SeatNumbers> visit(RoomId room, Capacity capacity) {
        return rooms
            .run(room, capacity, at -> redis.visit(at, List.of()))
            .map(
                done ->
                    done.map(SeatAnswer.Done::numbers)
                        .orElseGet(() -> new SeatNumbers(0, -1, false, 0, 0, 0, 0, 0, 0)));
      }
    };
  }
}
