package io.confab.seat;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.GivenSeat;
import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
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
  private final SeatGate gate;
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
      SeatGate gate,
      Timing timing) {
    this.epochs = epochs;
    this.consent = consent;
    this.announcer = announcer;
    this.counted = counted;
    this.gate = gate;
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

  /// What is to be done in a room.
  ///
  /// @param accounts whom it is about, about
  /// @param capacity null: as it is in Redis
  record Work(
      RoomId room,
      @Nullable Capacity capacity,
      SeatGate.Turn turn,
      int accounts,
      Transition transition) {
    private Work with(@Nullable Capacity other) {
      return new Work(room, other, turn, accounts, transition);
    }
  }

  /// As below, for one account that wants nothing new.
  Future<Optional<Done>> run(RoomId room, @Nullable Capacity capacity, Transition transition) {
    return run(new Work(room, capacity, SeatGate.Turn.KEEP, 1, transition));
  }

  /// Empty if there are no seats because the room has no capacity. Refused with `unavailable` while
  /// it is not known whether Redis has them, or too much is to be done.
  Future<Optional<Done>> run(Work work) {
    return Caller.current().handOver(run(work, null, TRIES));
  }

  private Future<Optional<Done>> run(Work work, @Nullable SeatOpening opening, int tries) {
    if (epochs.terms().isEmpty() || tries == 0) {
      return unknown();
    }
    return gate.pass(work.turn(), work.accounts(), () -> attempt(work, opening))
        .compose(
            done ->
                switch (done.answer()) {
                  case Done answer ->
                      Future.succeededFuture(Optional.of(told(work.room(), answer)));
                  case SeatAnswer.Absent _ ->
                      consent(work.room(), done.epoch())
                          .compose(consent -> open(work, consent, tries));
                  case SeatAnswer.Stale(long epoch) -> {
                    epochs.met(epoch);
                    yield again(work, tries);
                  }
                  case SeatAnswer.Moved _, SeatAnswer.Late _ -> {
                    epochs.look();
                    yield Future.failedFuture(Refusal.unavailable("Redis is another one"));
                  }
                });
  }

  private static <T> Future<T> unknown() {
    return Future.failedFuture(Refusal.unavailable("whether seats are there is not known"));
  }

  private record Attempt(long epoch, SeatAnswer answer) {}

  /// On the terms of now: it may have waited.
  private Future<Attempt> attempt(Work work, @Nullable SeatOpening opening) {
    Optional<SeatTerms> terms = epochs.terms();
    if (terms.isEmpty()) {
      return unknown();
    }
    long epoch = terms.get().epoch();
    boolean opens = opening != null && opening.epoch() == epoch;
    Visit visit =
        new Visit(
            work.room(),
            terms.get(),
            opens ? opening : null,
            opens || opening == null ? work.capacity() : null);
    return work.transition().apply(visit).map(answer -> new Attempt(epoch, answer));
  }

  private Future<Optional<Done>> open(Work work, Consent consent, int tries) {
    return switch (consent) {
      case Consent.Given(var opening, var capacity) -> run(work.with(capacity), opening, tries - 1);
      case Consent.Later _ ->
          timing.pause(REST).compose(_ -> run(work.with(null), null, tries - 1));
      case Consent.Stale _ -> again(work.with(null), tries);
      case Consent.Uncapped _ -> Future.succeededFuture(Optional.empty());
    };
  }

  /// With what the database says of the epoch now.
  private Future<Optional<Done>> again(Work work, int tries) {
    return epochs.look().compose(_ -> run(work, null, tries / 2));
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
          done.changes().stream()
              .<AccountSignal>map(change -> signal(room, change, done.numbers()))
              .toList());
    }
    if (done.numbers().noting()) {
      consent
          .note(room)
          .onFailure(failure -> LOG.debug("The use of a room was not noted", failure));
    }
    return done;
  }

  private static AccountSignal signal(RoomId room, SeatChange change, SeatNumbers now) {
    AccountId account = change.account();
    SeatNews news = change.kind();
    if (news != SeatNews.INSIDE) {
      return new AccountSignal.SeatChanged(account, room, news);
    }
    GivenSeat seat = new GivenSeat(now.inside(), now.capacity(), now.began(), now.version());
    return new AccountSignal.SeatChanged(account, room, news, seat);
  }
}
