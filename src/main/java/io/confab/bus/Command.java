package io.confab.bus;

import java.time.Duration;

/// A request that is answered by one `R` or by a refusal. It knows where it goes, so nobody who
/// asks can send it elsewhere, nor out of the order of its lane.
///
/// @param <R> the answer
public interface Command<R extends BusMessage> extends BusMessage {
  /// The address of its family.
  Address<?> address();

  /// How long an answer of another node is waited for: whether the command or its answer was lost
  /// on the way is not told.
  default Duration patience() {
    return Duration.ofSeconds(10);
  }

  /// The lane of what it concerns: commands of one lane from one event loop keep their order.
  Lane lane();
}
