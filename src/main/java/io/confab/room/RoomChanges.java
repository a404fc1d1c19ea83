package io.confab.room;

import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomChangeStore.Made;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/// Changes rooms: each change is decided and made by one call to the database, under the lock of
/// the room, so that no message gets a number after the event that ended its sender's right, and
/// announced after the commit. No lock is held while this node has the word (ADR 0027).
///
/// When the answer to a call is lost, its caller gets the failure as ever; as soon as the call is
/// over, committed or not, everybody concerned is made to look.
public final class RoomChanges {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final RoomChangeStore store;
  private final Announcer announcer;
  private final Database database;
  private final Timing timing;
  private final Departures departures;
  private final RoomLines lines;
  private final Duration lockPatience;

  /// Hears which memberships of a room with a capacity have ended; with none, that the room has.
  public interface Departures {
    void ended(RoomId room, List<AccountId> members);
  }

  public RoomChanges(
      Database database,
      Announcer announcer,
      Departures departures,
      Timing timing,
      Config.Postgres config) {
    this.store = new RoomChangeStore(database);
    this.database = database;
    this.announcer = announcer;
    this.departures = departures;
    this.timing = timing;
    this.lines =
        new RoomLines(timing, config.connectTimeout(), MemoryShares.ofProcess().roomChanges());
    this.lockPatience = config.lockTimeout();
  }

  /// Done when the change is made and announced. Refusals: as [RoomRefusal] names them;
  /// `unavailable` when too many changes of the room are under way.
  Future<Made> make(RoomCall call) {
    return lines.run(call.room(), call.bytes(), () -> attempt(call, timing.nanoTime()));
  }

  /// The database waits for a locked room only shortly; the rest of the time passes here.
  private Future<Made> attempt(RoomCall call, long since) {
    return store
        .make(call, () -> settle(call))
        .onSuccess(made -> announce(call, made))
        .recover(
            failure ->
                FailureKind.isLocked(failure) && timing.nanoTime() - since < lockPatience.toNanos()
                    ? timing.pause(PAUSE).compose(_ -> attempt(call, since))
                    : Future.failedFuture(failure));
  }

  private void announce(RoomCall call, Made made) {
    if (!made.events().isEmpty()) {
      database.epoch().saw(made.events().getFirst().epoch());
      announcer.announce(made.events());
    }
    if (made.ofMembers()) {
      announcer.signal(call.signals());
      if (made.capped()) {
        tellDepartures(call);
      }
    }
    if (made.archived() && made.capped()) {
      departures.ended(call.room(), List.of());
    }
    announcer.signalOnce(
        made.invitations().stream()
            .<AccountSignal>map(account -> new AccountSignal.Invited(account, call.room()))
            .toList());
  }

  private void tellDepartures(RoomCall call) {
    List<AccountId> gone =
        call.signals().stream()
            .filter(AccountSignal.Removed.class::isInstance)
            .map(AccountSignal::account)
            .toList();
    if (!gone.isEmpty()) {
      departures.ended(call.room(), gone);
    }
  }

  private Future<Void> settle(RoomCall call) {
    return store
        .position(call.room())
        .map(
            found -> {
              found.ifPresent(rev -> announcer.moved(call.room(), rev));
              announcer.signal(call.signals());
              return null;
            });
  }
}
