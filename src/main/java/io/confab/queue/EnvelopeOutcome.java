package io.confab.queue;

import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.protocol.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the storing transaction decided about one send of a sealed room.
public sealed interface EnvelopeOutcome {
  /// It is stored now.
  ///
  /// @param event of its room; null: it is silent
  /// @param queued to be brought to its devices
  record Stored(EnvelopeSent sent, @Nullable Event event, List<QueuedSend> queued)
      implements EnvelopeOutcome {}

  /// An earlier try, or a twin in the same group, had stored it.
  record Duplicate(EnvelopeSent sent) implements EnvelopeOutcome {}

  /// It may not be stored: no number was spent and no key written.
  record Refused(Refusal reason) implements EnvelopeOutcome {}
}
