package io.confab.queue;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about what they sent to sealed rooms.
public sealed interface EnvelopeCommand<R extends BusMessage> extends Command<R> {
  Address<EnvelopeCommand<?>> ADDRESS = new Address<>("envelopes", NodeRole.ROUTING);

  @Override
  default Address<EnvelopeCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case ReadDeliveries(_, var room, _) -> Lane.of(room);
    };
  }

  /// What became of the caller's own messages, from one on.
  record ReadDeliveries(AccountId caller, RoomId room, Seq from)
      implements EnvelopeCommand<Deliveries> {}

  record Deliveries(List<AccountDeliveries> accounts) implements BusMessage {}

  /// @param delivered runs of own messages, the first and the last of each
  /// @param readSeq the last of them that it has read, with all before, where that may be known
  record AccountDeliveries(
      AccountId accountId,
      List<List<Seq>> delivered,
      @Nullable Seq readSeq,
      List<Failure> failed) {}

  record Failure(Seq seq, FailureReason reason) {}
}
