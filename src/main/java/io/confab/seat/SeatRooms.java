package io.confab.seat;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.seat.RedisSeats.Visit;
import io.confab.seat.SeatAnswer.Done;
import io.confab.seat.SeatStore.Consent;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has transitions carried out in Redis, on the terms that this node knows, and tells of them. Sets
/// the seats of a room up where there are none, with the consent of the database. For any thread.
final class SeatRooms {
  private static final Logger LOG = LoggerFactory.getLogger(SeatRooms.class);

  /// Others are waited for as long as the database says that they may be about to set a room up.
  private static final int TRIES = 12;

  private static final Duration REST = Duration.ofMillis(250);

  private final SeatEpochs epochs;
  private final Consents consent;
  private final Announcer announcer;
  private final Consumer<List<SeatChange>> counted;
  private final Timing timing;

  /// The consents that are asked for.
  private final Map<Asked, Future<Consent>> consents = new ConcurrentHashMap<>();

  private record Asked(RoomId room, long epoch) {}

  /// @param counted is told what changed
  SeatRooms(
      SeatEpochs epochs,
      Consents consent,
      Announcer announcer,
      Consumer<List<SeatChange>> counted,
      Timing timing) {
    this.epochs = epochs;
    this.consent = consent;
    this.announcer = announcer;
    this.counted = counted;
    this.timing = timing;
  }

  /// The database, asked about rooms: [SeatStore].
  interface Consents {
    /// Whether the seats of a room may be set up in that epoch.
    Future<Consent> open(RoomId room, long epoch);

    /// That something happens in the room.
    Future<Void> note(RoomId room);
  }

  /// A transition, on the terms of the moment.
  interface Transition extends Function<Visit, Future<SeatAnswer>> {}

  /// Empty if there are no seats because the room has no capacity. Refused with `unavailable` while
  /// it is not known whether Redis has them.
  ///
  /// @param capacity null: as it is in Redis
  Future<Optional<Done>> run(RoomId room, @Nullable Capacity capacity, Transition transition) {
    return run(room, capacity, null, transition, TRIES);
  }

  private Future<Optional<Done>> run(
      RoomId room,
      @Nullable Capacity capacity,
      @Nullable SeatOpening opening,
      Transition transition,
      int tries) {
    Optional<SeatTerms> terms = epochs.terms();
    if (terms.isEmpty() || tries == 0) {
      return Future.failedFuture(Refusal.unavailable("whether seats are there is not known"));
    }
    if (opening != null && opening.epoch() != terms.get().epoch()) {
      return run(room, null, null, transition, tries - 1);
    }
    return transition
        .apply(new Visit(room, terms.get(), opening, capacity))
        .compose(
            answer ->
                switch (answer) {
                  case Done done -> Future.succeededFuture(Optional.of(told(room, done)));
                  case SeatAnswer.Absent _ ->
                      consent(room, terms.get().epoch())
                          .compose(consent -> open(room, consent, transition, tries));
                  case SeatAnswer.Stale(long epoch) -> {
                    epochs.met(epoch);
                    yield again(room, capacity, transition, tries);
                  }
                  case SeatAnswer.Moved _, SeatAnswer.Late _ -> {
                    epochs.look();
                    yield Future.failedFuture(Refusal.unavailable("Redis is another one"));
                  }
                });
  }

  private Future<Optional<Done>> open(
      RoomId room, Consent consent, Transition transition, int tries) {
    return switch (consent) {
      case Consent.Given(var opening, var capacity) ->
          run(room, capacity, opening, transition, tries - 1);
      case Consent.Later _ ->
          timing.pause(REST).compose(_ -> run(room, null, null, transition, tries - 1));
      case Consent.Stale _ -> again(room, null, transition, tries);
      case Consent.Uncapped _ -> Future.succeededFuture(Optional.empty());
    };
  }

  /// With what the database says of the epoch now.
  private Future<Optional<Done>> again(
      RoomId room, @Nullable Capacity capacity, Transition transition, int tries) {
    return epochs.look().compose(_ -> run(room, capacity, null, transition, tries / 2));
  }

  /// One at a time of this node, for all who need it.
  private Future<Consent> consent(RoomId room, long epoch) {
    Asked question = new Asked(room, epoch);
    Future<Consent> asked = consents.computeIfAbsent(question, _ -> consent.open(room, epoch));
    asked.onComplete(_ -> consents.remove(question, asked));
    return asked;
  }

  private Done told(RoomId room, Done done) {
    if (!done.changes().isEmpty()) {
      counted.accept(done.changes());
      announcer.signal(
          done.changes().stream().<AccountSignal>map(change -> signal(room, change)).toList());
    }
    if (done.numbers().noting()) {
      consent
          .note(room)
          .onFailure(failure -> LOG.debug("The use of a room was not noted", failure));
    }
    return done;
  }

  private static AccountSignal signal(RoomId room, SeatChange change) {
    return new AccountSignal.SeatChanged(change.account(), room, change.kind().loss());
  }
}
