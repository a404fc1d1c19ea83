package io.confab.presence;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.time.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/// Keeps the sessions of this node in the registry: each is entered at once, tried again every
/// second while that fails, and refreshed every 30 s, in batches. For any thread.
///
/// A wheel of 30 slots, one a second, spreads them over that time with a single timer; a tick that
/// comes late serves the slots that were left out, five at most. A slot whose last refresh is still
/// under way is passed over, so that what waits is bounded. A refresh that fails is made up for by
/// the next: an entry is valid for three rounds.
public final class SessionBeat {
  private static final int SLOTS = 30;
  private static final int BATCH = 500;
  private static final int AT_ONCE = 5;
  private static final Duration SLOT = Duration.ofSeconds(1);

  private final Function<List<Connection>, Future<?>> register;
  private final Consumer<Connection> unregister;
  private final List<Slot> slots = IntStream.range(0, SLOTS).mapToObj(i -> new Slot()).toList();
  private final Set<Connection> unanswered = ConcurrentHashMap.newKeySet();
  private Future<?> entering = Future.succeededFuture();
  private final LongSupplier nanoTime;
  private long servedUntil;
  private int turn;

  /// @param register the way to the registry, bounded in time
  public SessionBeat(
      Function<List<Connection>, Future<?>> register,
      Consumer<Connection> unregister,
      LongSupplier nanoTime) {
    this.register = register;
    this.unregister = unregister;
    this.nanoTime = nanoTime;
    this.servedUntil = nanoTime.getAsLong();
  }

  /// Begins to turn, until the node ends.
  public void start(Vertx vertx) {
    vertx.runOnContext(_ -> new Ticks(vertx, SLOT, this::tick).start());
  }

  public void add(Connection connection) {
    slotOf(connection).sessions.add(connection);
    register(List.of(connection)).onFailure(_ -> unanswered.add(connection));
  }

  public void remove(Connection connection) {
    slotOf(connection).sessions.remove(connection);
    unregister.accept(connection);
  }

  /// Enters those that were never answered, and refreshes the slots of the seconds that passed.
  void tick() {
    enterUnanswered();
    long now = nanoTime.getAsLong();
    servedUntil = Math.max(servedUntil, now - SLOTS * SLOT.toNanos());
    for (int i = 0; i < AT_ONCE && now - servedUntil >= SLOT.toNanos(); i++) {
      servedUntil += SLOT.toNanos();
      slots.get(turn).beat();
      turn = (turn + 1) % SLOTS;
    }
  }

  private void enterUnanswered() {
    unanswered.removeIf(connection -> !isKept(connection));
    if (entering.isComplete() && !unanswered.isEmpty()) {
      List<Connection> batch = unanswered.stream().limit(BATCH).toList();
      entering = register(batch).onSuccess(_ -> batch.forEach(unanswered::remove));
    }
  }

  /// A session that ended meanwhile may have been entered after it was removed.
  private Future<?> register(List<Connection> batch) {
    return register
        .apply(batch)
        .onSuccess(_ -> batch.stream().filter(entered -> !isKept(entered)).forEach(unregister));
  }

  private boolean isKept(Connection connection) {
    return slotOf(connection).sessions.contains(connection);
  }

  private Slot slotOf(Connection connection) {
    return slots.get(Math.floorMod(connection.session().hashCode(), SLOTS));
  }

  private final class Slot {
    private final Set<Connection> sessions = ConcurrentHashMap.newKeySet();
    private Future<?> underWay = Future.succeededFuture();

    void beat() {
      if (!underWay.isComplete()) {
        return;
      }
      List<Connection> all = List.copyOf(sessions);
      List<Future<?>> answers = new ArrayList<>();
      for (int from = 0; from < all.size(); from += BATCH) {
        answers.add(register(all.subList(from, Math.min(from + BATCH, all.size()))));
      }
      underWay = Future.join(answers);
    }
  }
}
