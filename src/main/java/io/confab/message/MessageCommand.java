package io.confab.message;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about messages; the lane is that of the room.
public sealed interface MessageCommand<R extends BusMessage> extends Command<R> {
  Address<MessageCommand<?>> ADDRESS = new Address<>("messages", NodeRole.ROUTING);

  /// Sends a message; refusals as of [AppendCommand.Append].
  record Send(Draft draft) implements MessageCommand<Sent> {}

  /// Edits or deletes a message; refusals as of [AppendCommand.Change].
  record Change(MessageChange change) implements MessageCommand<Changed> {}

  /// What a message said and says, oldest first, the present version last.
  ///
  /// @param after of the answer before: where to go on
  record ReadVersions(AccountId caller, RoomId roomId, Seq seq, @Nullable Rev after, int limit)
      implements MessageCommand<Versions> {}

  /// @param next where to go on, if there are more
  record Versions(List<Version> versions, @Nullable String next) implements BusMessage {}

  /// @param ts since when the message said this, in milliseconds since 1970
  record Version(String body, long ts) {}

  /// A page of history, oldest first. At most one of `before` and `after` is given, both
  /// exclusive; without either it is the newest page.
  record ReadHistory(
      AccountId caller, RoomId roomId, @Nullable Seq before, @Nullable Seq after, int limit)
      implements MessageCommand<HistoryPage> {}

  /// @param rev read before the page, so that one can go live from it
  record HistoryPage(
      List<Message> messages, boolean hasOlder, boolean hasNewer, Epoch epoch, Seq seq, Rev rev)
      implements BusMessage {}
}
