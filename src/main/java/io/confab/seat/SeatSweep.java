package io.confab.seat;

import io.confab.protocol.RoomId;
import io.confab.time.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Visits each room with seats as soon as something is over there, for rooms that nobody else does.
/// All nodes try, one of them does it (`sweeper.lua`). Belongs to one event loop.
///
/// A visit learns when the room is due next. Whatever others do meanwhile is over after the span of
/// an offer, the shortest one, at the earliest: so a room that is visited once in such a span, and
/// when it is due, is never late.
final class SeatSweep {
  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration LIST = Duration.ofSeconds(5);
  private static final Duration REST = RedisSeats.OFFER.minusSeconds(1);

  /// How long the node goes on being the one.
  static final Duration LEASE = Duration.ofSeconds(3);

  /// Rooms that are looked after.
  static final int MOST = 20_000;

  private static final int UNDER_WAY = 400;

  private final Sources sources;
  private final LongSupplier nanoTime;
  private final Map<RoomId, Room> rooms = new HashMap<>();
  private Future<?> looking = Future.succeededFuture();
  private boolean leads;
  private long lookAt;
  private long listAt;
  private int underWay;
  private volatile Totals totals = Totals.NONE;

  /// Where it asks.
  interface Sources {
    Future<Boolean> leads();

    /// The rooms that are in use, with their capacities.
    Future<Map<RoomId, Capacity>> inUse();

    Future<SeatNumbers> visit(RoomId room, Capacity capacity);
  }

  private static final class Room {
    private Capacity capacity;
    private long dueAt;
    private boolean visited;
    private @Nullable SeatNumbers numbers;

    Room(Capacity capacity, long dueAt) {
      this.capacity = capacity;
      this.dueAt = dueAt;
    }
  }

  /// Of all rooms, as far as this node looks after them.
  record Totals(long inside, long offers, long waiting) {
    static final Totals NONE = new Totals(0, 0, 0);
  }

  SeatSweep(Sources sources, LongSupplier nanoTime) {
    this.sources = sources;
    this.nanoTime = nanoTime;
    this.lookAt = nanoTime.getAsLong();
    this.listAt = lookAt;
  }

  /// Begins to sweep, until the node ends.
  void start(Vertx vertx) {
    vertx.runOnContext(_ -> new Ticks(vertx, PERIOD, this::tick).start());
  }

  /// For any thread.
  Totals totals() {
    return totals;
  }

  void tick() {
    long now = nanoTime.getAsLong();
    if (now - lookAt >= 0 && looking.isComplete()) {
      lookAt = now + LOOK.toNanos();
      looking = look(now);
    }
    if (leads) {
      visitDue();
      totals =
          new Totals(sum(SeatNumbers::inside), sum(SeatNumbers::offers), sum(SeatNumbers::waiting));
    }
  }

  private Future<?> look(long now) {
    return attempt(sources::leads)
        .compose(
            leading -> {
              if (leading && !leads) {
                listAt = now;
              }
              leads = leading;
              if (!leads) {
                rooms.clear();
                totals = Totals.NONE;
                return Future.succeededFuture();
              }
              return now - listAt < 0 ? Future.succeededFuture() : list(now);
            });
  }

  private Future<?> list(long now) {
    listAt = now + LIST.toNanos();
    return attempt(sources::inUse)
        .onSuccess(
            found -> {
              rooms.keySet().retainAll(found.keySet());
              found.forEach((id, capacity) -> found(id, capacity));
            });
  }

  private void found(RoomId id, Capacity capacity) {
    Room room = rooms.computeIfAbsent(id, _ -> new Room(capacity, nanoTime.getAsLong()));
    if (capacity.isOtherThan(room.capacity)) {
      room.dueAt = nanoTime.getAsLong();
    }
    room.capacity = capacity;
  }

  /// The one that has been due for longest first.
  private void visitDue() {
    long now = nanoTime.getAsLong();
    rooms.entrySet().stream()
        .filter(each -> now - each.getValue().dueAt >= 0 && !each.getValue().visited)
        .sorted(Comparator.comparingLong(each -> each.getValue().dueAt - now))
        .limit(UNDER_WAY - underWay)
        .toList()
        .forEach(each -> visit(each.getKey(), each.getValue(), now));
  }

  private void visit(RoomId id, Room room, long now) {
    Capacity capacity = room.capacity;
    room.visited = true;
    underWay++;
    attempt(() -> sources.visit(id, capacity))
        .onComplete(
            numbers -> {
              underWay--;
              room.visited = false;
              room.numbers = numbers.succeeded() ? numbers.result() : room.numbers;
              Duration rest = numbers.succeeded() ? rest(numbers.result()) : LOOK;
              room.dueAt = room.capacity.isOtherThan(capacity) ? now : now + rest.toNanos();
            });
  }

  private static Duration rest(SeatNumbers numbers) {
    Duration due = Duration.ofMillis(numbers.due());
    return numbers.due() < 0 || due.compareTo(REST) > 0 ? REST : due;
  }

  private static <T> Future<T> attempt(Supplier<Future<T>> work) {
    return Future.<Void>succeededFuture().compose(_ -> work.get());
  }

  private long sum(ToLongFunction<SeatNumbers> part) {
    return rooms.values().stream()
        .mapToLong(room -> room.numbers == null ? 0 : part.applyAsLong(room.numbers))
        .sum();
  }
}
