package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Comparisons;
import io.confab.client.sealed.Links;
import io.confab.client.sealed.Note;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// Compares emoji with other people's devices: carries the steps of [Comparisons] to and fro, in
/// their order.
final class Comparing {
  private static final Duration LASTS = Duration.ofMinutes(10).plusSeconds(1);

  private final Roster roster;
  private final Claims claims;
  private final Letters letters;
  private final DeviceThread device;
  private final Pauses pauses;
  private final Consumer<Comparison> told;
  private final InstantSource clock = InstantSource.system();
  private Future<?> sent = Future.succeededFuture();

  /// @param told where a comparison stands after a step
  Comparing(
      Roster roster,
      Claims claims,
      Letters letters,
      DeviceThread device,
      Pauses pauses,
      Consumer<Comparison> told) {
    this.roster = roster;
    this.claims = claims;
    this.letters = letters;
    this.device = device;
    this.pauses = pauses;
    this.told = told;
  }

  /// Begins one with the newest device of somebody; fails as `not_found` where there is none, and
  /// as `closed` where this device takes no part.
  Future<Comparison> begin(AccountId account) {
    roster.doubt(List.of(account));
    return device
        .ask(SealedDevice::isSigned)
        .compose(
            signed ->
                signed ? roster.learn(List.of(account)) : Future.failedFuture(Attendance.absent()))
        .compose(_ -> device.ask(own -> own.comparisons().partner(account)))
        .compose(
            partner ->
                partner.map(this::begin).orElseGet(() -> nobody("no device to compare with")));
  }

  private Future<Comparison> begin(RoomDevice with) {
    return device
        .ask(own -> own.comparisons().canBegin(with))
        .compose(can -> can ? Future.succeededFuture() : claims.begin(with))
        .compose(
            _ ->
                ask(
                    (own, comparisons) ->
                        comparisons.canBegin(with)
                            ? Optional.of(comparisons.begin(with, clock.instant()))
                            : Optional.empty()))
        .compose(begun -> begun.map(this::step).orElseGet(() -> nobody("it gave no key")));
  }

  private static Future<Comparison> nobody(String why) {
    return Future.failedFuture(ApiException.local(ErrorCode.NOT_FOUND.wire(), why));
  }

  /// The person says whether both see the same; empty: there is nothing to compare.
  Future<Optional<Comparison>> matches(RoomDevice with, String id, boolean same) {
    return ask((_, comparisons) -> comparisons.matches(with, id, same)).map(this::stepped);
  }

  /// The person does not go on; empty: there is none.
  Future<Optional<Comparison>> cancel(RoomDevice with, String id) {
    return ask((_, comparisons) -> comparisons.cancel(with, id)).map(this::stepped);
  }

  /// What devices said before the program ended and nobody took.
  void resume() {
    device
        .ask(SealedDevice::inbox)
        .onSuccess(notes -> notes.stream().filter(note -> !Links.isStep(note)).forEach(this::take));
  }

  /// Something that a device said; what is no step is forgotten.
  void take(Note note) {
    ask((own, comparisons) -> {
          Optional<Comparison> step = comparisons.take(note, clock.instant());
          own.done(note);
          return step;
        })
        .onSuccess(this::stepped);
  }

  private Future<Optional<Comparison>> ask(
      BiFunction<SealedDevice, Comparisons, Optional<Comparison>> question) {
    return device.ask(own -> question.apply(own, own.comparisons()));
  }

  private Optional<Comparison> stepped(Optional<Comparison> step) {
    step.ifPresent(this::step);
    return step;
  }

  /// A step is the other one's to answer, so it goes once and after those before it.
  private Future<Comparison> step(Comparison step) {
    told.accept(step);
    if (step.stage() == Comparison.Stage.WAITING || step.stage() == Comparison.Stage.SHOWN) {
      pauses.pause(LASTS).onSuccess(_ -> endOverdue());
    }
    if (!step.letters().isEmpty()) {
      sent = sent.transform(_ -> letters.send(step.letters()));
    }
    return Future.succeededFuture(step);
  }

  private void endOverdue() {
    device
        .ask(own -> own.comparisons().endOverdue(clock.instant()))
        .onSuccess(ended -> ended.forEach(this::step));
  }
}
