package io.confab.marker;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.feed.AccountSignal.UnreadChanged;
import io.confab.protocol.AccountId;
import io.confab.protocol.Marks;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import io.confab.protocol.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients say and ask about what was received and read.
public sealed interface MarkerCommand<R extends BusMessage> extends Command<R> {
  Address<MarkerCommand<?>> ADDRESS = new Address<>("markers", NodeRole.ROUTING);

  @Override
  default Address<MarkerCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case MoveMarker(_, var room, _, _, _) -> Lane.of(room);
      case ReadMarkers(var account, _) -> Lane.of(account);
      case ReadMarker(_, var room) -> Lane.of(room);
      case ReadUnread(var account) -> Lane.of(account);
      case ReadReaders(_, var room, _, _, _, _) -> Lane.of(room);
      case LookAtUnread(var places) -> Lane.of(places.getFirst().room());
    };
  }

  /// What a request says of a message.
  enum Kind implements WireName {
    DELIVERED,
    READ,
    UNREAD
  }

  /// Everything up to `seq` was received, or read; or is to be seen as unread from there. Of own
  /// sessions all others are told, and members where the room shows it. Refusals: `not_found`,
  /// `forbidden`, `invalid_field` (`seq`), `conflict` (a delivery in a room without receipts).
  ///
  /// @param by the session that says so, which is not told; null: none
  record MoveMarker(AccountId caller, RoomId room, Kind kind, Seq seq, @Nullable SessionId by)
      implements MarkerCommand<MarkerView> {}

  record MarkerView(Marker marker) implements BusMessage {}

  /// How far an account has read and received.
  record Marker(
      RoomId roomId,
      AccountId accountId,
      Seq readSeq,
      Seq deliveredSeq,
      @Nullable Seq unreadFrom) {}

  /// The markers and receipts of an account that changed since then.
  ///
  /// @param since milliseconds since 1970, by PostgreSQL's clock
  record ReadMarkers(AccountId account, long since) implements MarkerCommand<Markers> {}

  /// Those in one room.
  record ReadMarker(AccountId account, RoomId room) implements MarkerCommand<Markers> {}

  record Markers(List<RoomMarks> markers) implements BusMessage {}

  /// @param version as of [io.confab.feed.AccountSignal.MarkerMoved]
  /// @param asOf where the room's log stood: they are of the membership of that rev
  record RoomMarks(RoomId room, Marks marks, long version, Rev asOf) {}

  /// What the caller has not read, in all of its rooms.
  record ReadUnread(AccountId caller) implements MarkerCommand<Unread> {}

  /// @param rooms those with something unread
  record Unread(long total, long mentions, List<UnreadRoom> rooms) implements BusMessage {}

  record UnreadRoom(RoomId roomId, long unread, long mentions) {}

  /// Which of the members have read a message, but the caller. They are looked through in parts,
  /// so a page may be short and have a next one. Refusals: `not_found`, `forbidden`, `no_seat`.
  ///
  /// @param seated whether the caller is inside the room
  record ReadReaders(
      AccountId caller, RoomId room, Seq seq, @Nullable AccountId after, int limit, boolean seated)
      implements MarkerCommand<Readers> {}

  /// @param next the account to go on after; absent at the end
  record Readers(List<Reader> readers, @Nullable AccountId next) implements BusMessage {}

  record Reader(AccountId accountId, Seq readSeq) {}

  /// What accounts have not read where a message of others above their markers has changed.
  ///
  /// @param places one at least
  record LookAtUnread(List<Place> places) implements MarkerCommand<UnreadNews> {
    public LookAtUnread {
      Command.requireSome(places);
    }
  }

  /// @param seq of the message that changed
  record Place(AccountId account, RoomId room, Seq seq) {}

  record UnreadNews(List<UnreadCount> counts) implements BusMessage {}

  /// @param total in all rooms of the account
  /// @param seq the last message of the room that was looked at
  /// @param asOf where the room's log stood
  /// @param version of two counts the one of the later state has the higher
  record UnreadCount(
      AccountId account,
      RoomId room,
      long unread,
      long mentions,
      long total,
      Seq seq,
      Rev asOf,
      long version) {
    public UnreadChanged signal() {
      return new UnreadChanged(account, room, unread, mentions, total, seq, asOf, version);
    }
  }
}
