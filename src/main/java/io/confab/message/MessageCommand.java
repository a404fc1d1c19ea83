package io.confab.message;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about messages. Who asks may be known to be inside the room (`seated`), which
/// one with a capacity asks for: `no_seat`.
public sealed interface MessageCommand<R extends BusMessage> extends Command<R> {
  Address<MessageCommand<?>> ADDRESS = new Address<>("messages", NodeRole.ROUTING);

  @Override
  default Address<MessageCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case ReadVersions(_, var room, _, _, _, _) -> Lane.of(room);
      case ReadHistory(_, var room, _, _, _, _) -> Lane.of(room);
      case ReadLog(_, var room, _, _, _, _) -> Lane.of(room);
      case CheckSend(_, var room, _) -> Lane.of(room);
    };
  }

  /// What a message said and says, oldest first, the present version last.
  ///
  /// @param after of the answer before: where to go on
  record ReadVersions(
      AccountId caller, RoomId roomId, Seq seq, @Nullable Rev after, int limit, boolean seated)
      implements MessageCommand<Versions> {}

  /// @param next where to go on, if there are more
  record Versions(List<Version> versions, @Nullable String next) implements BusMessage {}

  /// @param ts since when the message said this, in milliseconds since 1970
  record Version(String body, long ts) {}

  /// Whether the caller may send to the room now, but for its pace. Refusals: `not_found`,
  /// `forbidden`, `conflict` (archived), `muted`, `blocked`.
  record CheckSend(AccountId caller, RoomId room, boolean seated)
      implements MessageCommand<MaySend> {}

  /// @param rev where the room stood
  /// @param now milliseconds since 1970
  /// @param hidden whether the caller hides from all
  /// @param hiddenFrom members whom the caller blocked, 200 at most
  record MaySend(Rev rev, long members, long now, boolean hidden, List<AccountId> hiddenFrom)
      implements BusMessage {}

  /// A page of history, oldest first.
  record ReadHistory(
      AccountId caller, RoomId roomId, Point point, Seq at, int limit, boolean seated)
      implements MessageCommand<HistoryPage> {

    /// Of one who is not known to be inside.
    public ReadHistory(AccountId caller, RoomId roomId, Point point, Seq at, int limit) {
      this(caller, roomId, point, at, limit, false);
    }

    public ReadHistory seated(boolean inside) {
      return new ReadHistory(caller, roomId, point, at, limit, inside);
    }

    public static ReadHistory newest(AccountId caller, RoomId roomId, int limit) {
      return new ReadHistory(caller, roomId, Point.BEFORE, new Seq(Long.MAX_VALUE), limit);
    }

    /// A page with that message alone, or with the next one where the caller does not see it.
    public static ReadHistory only(AccountId caller, RoomId roomId, Seq seq) {
      return new ReadHistory(caller, roomId, Point.AROUND, seq, 1);
    }

    public static ReadHistory firstUnread(AccountId caller, RoomId roomId, int limit) {
      return new ReadHistory(caller, roomId, Point.FIRST_UNREAD, Seq.ZERO, limit);
    }

    public static ReadHistory oldest(AccountId caller, RoomId roomId, int limit) {
      return new ReadHistory(caller, roomId, Point.AFTER, Seq.ZERO, limit);
    }
  }

  /// How a page of history lies to the seq that was given.
  enum Point {
    /// The page that ends before it.
    BEFORE,
    /// The page that begins after it.
    AFTER,
    /// The page with it in the middle: half of the page is older, it and what is newer are the
    /// rest.
    AROUND,
    /// The same with the first message that the caller has not read, whatever the seq.
    FIRST_UNREAD
  }

  /// The events of a room after a rev, as a socket would send them.
  record ReadLog(AccountId caller, RoomId room, Epoch epoch, Rev after, int limit, boolean seated)
      implements MessageCommand<LogPage> {}

  /// @param recovered false where the position is of another epoch or ahead of the room: then
  ///     there are no events, and history must be read anew
  /// @param frames the events as a socket gets them, JSON in UTF-8
  /// @param rev where the room stands
  record LogPage(Epoch epoch, boolean recovered, List<byte[]> frames, Rev rev, boolean hasMore)
      implements BusMessage {}

  /// @param rev read before the page, so that one can go live from it
  record HistoryPage(
      List<Message> messages, boolean hasOlder, boolean hasNewer, Epoch epoch, Seq seq, Rev rev)
      implements BusMessage {}
}
