package io.confab.message;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;

/// What the writers of rooms are asked to do. Commands of one room reach the same writer, in order:
/// sends, edits and deletions one, sealed sends another.
public sealed interface WriteCommand<R extends BusMessage> extends Command<R> {
  Address<WriteCommand<?>> ADDRESS = new Address<>("writes", NodeRole.PERSISTENCE);

  @Override
  default Address<WriteCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case Send(var draft) -> Lane.of(draft.roomId());
      case Change(var change) -> Lane.of(change.roomId());
      case Put(var draft) ->
          draft.roomId() == null ? Lane.of(draft.sender().account()) : Lane.of(draft.roomId());
    };
  }

  /// Stores a message; answered after the commit. Refusals: `not_found`, `forbidden`,
  /// `conflict` (archived), `no_seat`, `invalid_field` (`reply_to`),
  /// `idempotency_mismatch`, `unavailable` (the outcome is then unknown).
  record Send(Draft draft) implements WriteCommand<Sent> {}

  /// Puts a send of a sealed room into the queues of its devices; answered after the commit.
  /// Refusals: `not_found`, `forbidden`, `muted`, `blocked`, `slow_mode`, `conflict` (archived, not
  /// sealed, a device without keys), `device_mismatch`, `invalid_field` (`envelopes`),
  /// `idempotency_mismatch`, `unavailable` (the outcome is then unknown).
  record Put(EnvelopeDraft draft) implements WriteCommand<EnvelopeSent> {}

  /// Edits or deletes a message; answered after the commit. A retry of an edit gets the answer
  /// of the first try. Refusals: `not_found`, `forbidden`, `conflict` (archived), `no_seat`,
  /// `gone`, `idempotency_mismatch`, `unavailable` (the outcome is then unknown).
  record Change(MessageChange change) implements WriteCommand<Changed> {}
}
