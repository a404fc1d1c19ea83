package io.confab.presence;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Lost;
import io.confab.presence.PresenceCommand.Refresh;
import io.confab.presence.PresenceCommand.Registration;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Keeps the sessions of this node in the registry: each is refreshed every 30 s, in batches. For
/// any thread.
///
/// A wheel of 30 slots, one a second, spreads them over that time with a single timer. A slot whose
/// last refresh is still under way is passed over, so that what waits is bounded. A refresh that
/// fails is made up for by the next: an entry is valid for three rounds.
public final class SessionBeat {
  private static final int SLOTS = 30;
  private static final int BATCH = 500;
  private static final long SLOT_MILLIS = 1_000;

  private final Function<Refresh, Future<Lost>> refresh;
  private final Consumer<Connection> lost;
  private final List<Slot> slots = IntStream.range(0, SLOTS).mapToObj(i -> new Slot()).toList();
  private int turn;

  /// @param refresh the way to the registry, bounded in time
  /// @param lost called with each session whose device belongs to another session now; it is no
  ///     longer kept here
  public SessionBeat(Function<Refresh, Future<Lost>> refresh, Consumer<Connection> lost) {
    this.refresh = refresh;
    this.lost = lost;
  }

  /// Begins to turn; answers the timer, for `vertx.cancelTimer`.
  public long start(Vertx vertx) {
    return vertx.setPeriodic(SLOT_MILLIS, timer -> tick());
  }

  /// Keeps a session, or its new fence.
  public void add(Registration registration) {
    slotOf(registration.connection()).sessions.put(session(registration), registration);
  }

  public void remove(Connection connection) {
    slotOf(connection).sessions.remove(connection.session());
  }

  /// Refreshes the next slot.
  void tick() {
    slots.get(turn).beat();
    turn = (turn + 1) % SLOTS;
  }

  private Slot slotOf(Connection connection) {
    return slots.get(Math.floorMod(connection.session().hashCode(), SLOTS));
  }

  private static SessionId session(Registration registration) {
    return registration.connection().session();
  }

  private final class Slot {
    private final Map<SessionId, Registration> sessions = new ConcurrentHashMap<>();
    private Future<?> underWay = Future.succeededFuture();

    void beat() {
      if (!underWay.isComplete()) {
        return;
      }
      List<Registration> all = new ArrayList<>(sessions.values());
      List<Future<Lost>> answers = new ArrayList<>();
      for (int from = 0; from < all.size(); from += BATCH) {
        Refresh batch =
            new Refresh(List.copyOf(all.subList(from, Math.min(from + BATCH, all.size()))));
        answers.add(refresh.apply(batch).onSuccess(this::drop));
      }
      underWay = Future.join(answers);
    }

    private void drop(Lost answer) {
      for (Connection connection : answer.connections()) {
        if (sessions.remove(connection.session()) != null) {
          lost.accept(connection);
        }
      }
    }
  }
}
