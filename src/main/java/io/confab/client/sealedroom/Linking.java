package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.Links;
import io.confab.client.sealed.Note;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Carries the steps of [Links] to and fro, in their order.
final class Linking {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int TRIES = 20;

  /// So long the other device waits for what is said to it.
  private static final Duration WAITS = Duration.ofMinutes(10);

  private final AccountId account;
  private final Roster roster;
  private final Claims claims;
  private final Letters letters;
  private final DeviceThread device;
  private final Pauses pauses;
  private final Joining joining;
  private final Consumer<LinkStep> told;
  private final InstantSource clock;
  private Future<?> last = Future.succeededFuture();
  private Future<?> sent = Future.succeededFuture();
  private boolean giving;
  private boolean watched;

  /// How this device takes part.
  interface Joining {
    /// It can be spoken to, also while it is not signed.
    Future<Void> listen();

    /// It has the identity now.
    Future<SealedState> join();

    /// It was being linked when the program ended; done when it is known how far it takes part.
    Future<SealedState> resume();
  }

  /// @param told where linking stands after a step
  Linking(
      AccountId account,
      Roster roster,
      Claims claims,
      Letters letters,
      DeviceThread device,
      Pauses pauses,
      InstantSource clock,
      Joining joining,
      Consumer<LinkStep> told) {
    this.account = account;
    this.roster = roster;
    this.claims = claims;
    this.letters = letters;
    this.device = device;
    this.pauses = pauses;
    this.clock = clock;
    this.joining = joining;
    this.told = told;
  }

  /// Asks the other devices of the account with a code; fails as `not_found` where there is none.
  Future<LinkCode> offer() {
    return joining
        .listen()
        .compose(_ -> learn())
        .compose(_ -> device.ask(own -> own.links().others()))
        .compose(this::reach)
        .compose(
            reached ->
                reached.isEmpty()
                    ? Future.failedFuture(nobody())
                    : device.ask(own -> own.links().offer(reached, clock.instant())))
        .compose(
            offer -> {
              watch();
              return letters
                  .send(offer.letters())
                  .map(offer.code())
                  .onFailure(_ -> device.tell(own -> own.links().unask()));
            });
  }

  private static ApiException nobody() {
    return ApiException.local(
        ErrorCode.NOT_FOUND.wire(), "no other device of yours takes part in sealed rooms");
  }

  private Future<Void> learn() {
    roster.doubt(List.of(account));
    return roster.learn(List.of(account));
  }

  /// Those with which there is a session then.
  private Future<List<RoomDevice>> reach(List<RoomDevice> others) {
    Future<Void> all = Future.succeededFuture();
    for (RoomDevice other : others) {
      all =
          all.compose(_ -> device.ask(own -> own.links().canAsk(other)))
              .compose(can -> can ? Future.succeededFuture() : claims.begin(other));
    }
    return all.compose(
        _ ->
            device.ask(
                own -> {
                  List<RoomDevice> reached = new ArrayList<>(others);
                  reached.removeIf(other -> !own.links().canAsk(other));
                  return List.copyOf(reached);
                }));
  }

  /// The person typed a code; empty: no device asked.
  Future<Optional<LinkStep>> type(LinkCode code) {
    return device.ask(own -> own.links().type(code, clock.instant())).map(this::stepped);
  }

  /// Whether so many wrong codes were typed that none is taken for a while.
  Future<Boolean> isLocked() {
    return device.ask(own -> own.links().isLocked(clock.instant()));
  }

  /// The person says whether the device that has the code gets everything; empty: none has.
  Future<Optional<LinkStep>> decide(boolean yes) {
    return device.ask(own -> own.links().decide(yes, clock.instant())).map(this::stepped);
  }

  /// What devices said before the program ended and nobody took; then what was coming goes on.
  void resume() {
    device
        .ask(SealedDevice::inbox)
        .onSuccess(notes -> notes.stream().filter(Links::isStep).forEach(this::take))
        .transform(_ -> last.<Void>mapEmpty().otherwiseEmpty())
        .transform(_ -> device.ask(own -> own.links().isExpecting()))
        .onSuccess(
            expects -> {
              if (expects) {
                goOn();
              }
            });
  }

  /// The old device gives what follows once it has heard how far this one is, and that is said when
  /// the server has the signature.
  private void goOn() {
    joining
        .resume()
        .compose(_ -> device.ask(own -> own.links().resume(clock.instant())))
        .onSuccess(
            got -> {
              got.ifPresent(letter -> sendLast(List.of(letter)));
              watch();
            });
  }

  /// It is kept until the server has it.
  private void sendLast(List<LetterTo> all) {
    sent =
        sent.transform(_ -> letters.sendWhile(waits(), all))
            .onComplete(
                outcome -> {
                  if (outcome.succeeded() || Letters.isOfDevices(outcome.cause())) {
                    device.tell(own -> own.links().told());
                  }
                });
  }

  /// Something that a device said. A device that is new may not be known yet; where the server does
  /// not tell, what it said is kept until the program begins anew.
  void take(Note note) {
    last =
        last.transform(_ -> known(note, TRIES))
            .compose(
                _ ->
                    device.ask(
                        own -> {
                          Optional<LinkStep> step = own.links().take(note, clock.instant());
                          own.done(note);
                          return new Taken(step, own.links().answers());
                        }))
            .onSuccess(
                taken -> {
                  taken.answers().forEach(this::send);
                  stepped(taken.step());
                });
  }

  private record Taken(Optional<LinkStep> step, List<LetterTo> answers) {}

  private Future<Void> known(Note note, int tries) {
    return note.doubt() == null || !note.senderId().equals(account)
        ? Future.succeededFuture()
        : learn().recover(failure -> knownLater(note, failure, tries - 1));
  }

  private Future<Void> knownLater(Note note, Throwable failure, int tries) {
    return tries > 0 && failure instanceof ApiException refusal && refusal.retryable()
        ? pauses.pause(refusal.retryAfter().orElse(SOON)).compose(_ -> known(note, tries))
        : Future.failedFuture(failure);
  }

  private Optional<LinkStep> stepped(Optional<LinkStep> step) {
    step.ifPresent(this::step);
    return step;
  }

  private void step(LinkStep step) {
    if (step.stage() == LinkStep.Stage.JOINED) {
      sent = sent.transform(_ -> joining.join());
    }
    if (step.stage() == LinkStep.Stage.DONE && !step.letters().isEmpty()) {
      sendLast(step.letters());
    } else {
      step.letters().forEach(this::send);
    }
    told.accept(step);
    if (!step.isLast()) {
      watch();
      give();
    }
  }

  /// One device that is gone keeps no other one from hearing.
  private void send(LetterTo letter) {
    sent = sent.transform(_ -> letters.sendWhile(waits(), List.of(letter)));
  }

  private BooleanSupplier waits() {
    Instant end = clock.instant().plus(WAITS);
    return () -> clock.instant().isBefore(end);
  }

  /// One piece after another, as long as the other device takes them.
  private void give() {
    if (giving) {
      return;
    }
    giving = true;
    device
        .ask(own -> own.links().next())
        .onSuccess(
            piece -> {
              giving = false;
              piece.ifPresent(this::give);
            })
        .onFailure(_ -> giving = false);
  }

  private void give(LetterTo piece) {
    giving = true;
    letters
        .sendWhile(waits(), List.of(piece))
        .onComplete(
            outcome -> {
              giving = false;
              if (outcome.succeeded() && outcome.result().full().isEmpty()) {
                give();
              } else {
                device.ask(own -> own.links().stop()).onSuccess(this::stepped);
              }
            });
  }

  /// Looks when the next thing may be over: what begins meanwhile is over later.
  private void watch() {
    if (watched) {
      return;
    }
    watched = true;
    device
        .ask(own -> own.links().nextEnd())
        .onSuccess(end -> end.ifPresentOrElse(this::watchUntil, () -> watched = false));
  }

  private void watchUntil(Instant end) {
    Duration rest = Duration.between(clock.instant(), end);
    pauses
        .pause(rest.isNegative() ? LEAST : rest.plus(LEAST))
        .compose(_ -> device.ask(own -> own.links().endOverdue(clock.instant())))
        .onSuccess(
            ended -> {
              watched = false;
              ended.forEach(this::step);
              watch();
            });
  }
}
