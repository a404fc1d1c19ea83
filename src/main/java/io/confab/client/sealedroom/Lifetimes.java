package io.confab.client.sealedroom;

import io.confab.client.sealed.SealedLine;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Removes lines when they are over. A lifetime begins when the person has seen the line.
final class Lifetimes {
  private final DeviceThread device;
  private final Pauses pauses;
  private final InstantSource clock;
  private final Consumer<List<SealedLine>> gone;
  private Instant armedFor = Instant.MAX;

  Lifetimes(
      DeviceThread device, Pauses pauses, InstantSource clock, Consumer<List<SealedLine>> gone) {
    this.device = device;
    this.pauses = pauses;
    this.clock = clock;
    this.gone = gone;
  }

  /// The person has seen the lines of a room from one number to another.
  Future<Void> seen(RoomId room, Seq from, Seq upTo) {
    return device
        .tell(own -> own.history().seen(room, from, upTo, clock.instant()))
        .onSuccess(_ -> watch());
  }

  /// A line is kept whose lifetime may have begun, as that of an own one has.
  void began(SealedLine line) {
    if (line.expiresAt() != null) {
      watch();
    }
  }

  /// Removes what is over, now and from now on.
  void watch() {
    device
        .ask(own -> new Round(own.history().expire(clock.instant()), own.history().nextExpiry()))
        .onSuccess(
            round -> {
              if (!round.over().isEmpty()) {
                gone.accept(round.over());
              }
              round.next().filter(due -> due.isBefore(armedFor)).ifPresent(this::arm);
            });
  }

  private record Round(List<SealedLine> over, Optional<Instant> next) {}

  private void arm(Instant due) {
    armedFor = due;
    Duration left = Duration.between(clock.instant(), due).plusMillis(1);
    pauses
        .pause(left.isNegative() ? Duration.ZERO : left)
        .onSuccess(
            _ -> {
              armedFor = Instant.MAX;
              watch();
            });
  }
}
