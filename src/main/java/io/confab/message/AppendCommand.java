package io.confab.message;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.config.NodeRole;

/// What the writers do; the lane is that of the room.
public sealed interface AppendCommand<R extends BusMessage> extends Command<R> {
  Address<AppendCommand<?>> ADDRESS = new Address<>("append", NodeRole.PERSISTENCE);

  /// Stores a message; answered after the commit. Refusals: `not_found`, `forbidden`,
  /// `conflict` (archived), `invalid_field` (`reply_to`), `idempotency_mismatch`, `unavailable`
  /// (the outcome is then unknown).
  record Append(Draft draft) implements AppendCommand<Sent> {}

  /// Edits or deletes a message; answered after the commit. A retry of an edit gets the answer
  /// of the first try. Refusals: `not_found`, `forbidden`, `conflict` (archived), `gone`,
  /// `idempotency_mismatch`, `unavailable` (the outcome is then unknown).
  record Change(MessageChange change) implements AppendCommand<Changed> {}
}
