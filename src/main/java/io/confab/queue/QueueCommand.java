package io.confab.queue;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import java.util.List;

/// What devices ask about what waits for them. A registration comes from [Opened], so that only
/// its own device names it.
public sealed interface QueueCommand<R extends BusMessage> extends Command<R> {
  Address<QueueCommand<?>> ADDRESS = new Address<>("queues", NodeRole.ROUTING);

  /// Envelopes of a page.
  int PAGE = 100;

  AccountId account();

  @Override
  default Address<QueueCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return Lane.of(account());
  }

  /// The device comes for its queue; one that was dormant is a target again. Refusal: `conflict`
  /// for a device without keys.
  record OpenQueue(Caller caller) implements QueueCommand<Opened> {
    @Override
    public AccountId account() {
      return caller.account();
    }
  }

  /// @param gone up to where it is acknowledged
  /// @param last what there is
  /// @param rooms sealed ones in which the account is
  record Opened(
      Epoch epoch,
      RegistrationId registration,
      QueueSeq gone,
      QueueSeq last,
      long oneTimeKeys,
      boolean fallbackUsed,
      List<RoomId> rooms)
      implements BusMessage {}

  /// The next page behind a number: empty, though there is more, while what comes next is over and
  /// another node ends it. Refusals: `unavailable`; `not_found` for a device that was removed.
  record ReadQueue(AccountId account, RegistrationId registration, QueueSeq after)
      implements QueueCommand<QueuePage> {}

  /// @param gone up to where it was acknowledged when the page was read
  /// @param last what there was then
  /// @param envelopes in order, without holes
  record QueuePage(Epoch epoch, QueueSeq gone, QueueSeq last, List<Waiting> envelopes)
      implements BusMessage {}

  /// An envelope as it goes out, in two parts; the second one is the same for all devices.
  record Waiting(QueueSeq seq, byte[] head, byte[] tail) {
    /// Of one that has lost what it held.
    public static byte[] nothing() {
      return new byte[0];
    }
  }

  /// Everything up to a number has arrived; answered after the commit. What the queue does not
  /// have is left out. Refusal: `unavailable` where the number is of another epoch.
  record AckQueue(AccountId account, RegistrationId registration, QueueSeq upTo, Epoch epoch)
      implements QueueCommand<Acknowledged> {}

  /// @param gone up to where the queue is acknowledged now
  record Acknowledged(QueueSeq gone) implements BusMessage {}

  /// The device cannot read what it got under a number; again: nothing happens. Refusal: as above.
  record RejectEnvelope(
      AccountId account, RegistrationId registration, QueueSeq seq, String reason, Epoch epoch)
      implements QueueCommand<Done> {}
}
