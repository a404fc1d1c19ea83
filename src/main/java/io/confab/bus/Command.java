package io.confab.bus;

import java.time.Duration;
import java.util.List;

/// A request that is answered by one `R` or by a refusal. It names its own address and lane, so no
/// caller can send it elsewhere or out of the order of its lane.
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

  /// A command about nothing has no lane, so it must not be made.
  static void requireSome(List<?> about) {
    if (about.isEmpty()) {
      throw new IllegalArgumentException("a command about nothing");
    }
  }
}
