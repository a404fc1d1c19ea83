package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Screen;
import java.util.List;
import java.util.Optional;

/// Puts another room on the screen: what it is, and its newest messages, or that it cannot be read
/// from outside. Blocks while it asks the server.
final class RoomOpening {
  private final ConfabApi api;
  private final Screen screen;
  private final Names names;
  private final SeatNotices seats;
  private final RoomView view;
  private final SealedOpening sealed;

  RoomOpening(
      ConfabApi api,
      Screen screen,
      Names names,
      SeatNotices seats,
      RoomView view,
      SealedOpening sealed) {
    this.api = api;
    this.screen = screen;
    this.names = names;
    this.seats = seats;
    this.view = view;
    this.sealed = sealed;
  }

  void open(ChatRoom room) {
    Optional<HistoryPage> page = newest(room.roomId());
    screen.line(
        "* %s, members: %d; /help lists what else can be typed"
            .formatted(names.title(room), room.memberCount()));
    Optional.ofNullable(room.capacity()).ifPresent(capacity -> tellCapacity(room, capacity));
    page.ifPresentOrElse(read -> show(unreadIn(room), read), () -> close(room));
  }

  private void close(ChatRoom room) {
    view.openClosed(room, sealed.page(room.roomId(), seal(room)).seal());
    sealed.closed();
  }

  /// How a room is sealed now: what is known of it may be older than its page, or its updates.
  private Optional<RoomSeal> seal(ChatRoom room) {
    Optional<RoomSeal> known = RoomSeal.of(room);
    return known.isPresent() ? known : sealNow(room.roomId());
  }

  private Optional<RoomSeal> sealNow(RoomId room) {
    try {
      return RoomSeal.of(api.room(room).await());
    } catch (ApiException _) {
      return Optional.empty(); // whoever says something plain there is refused
    }
  }

  private void show(ChatRoom room, HistoryPage page) {
    SealedPage kept = sealed.page(room.roomId(), seal(room));
    RoomSeal seal = kept.seal();
    if (seal != null) {
      List<SealedLine> own = kept.lines().stream().filter(view::isOwn).toList();
      sealed.open(room.roomId(), seal, own, next(room.seq()));
    }
    view.open(room, page, Commands.USUAL_HISTORY, kept);
    if (seal == null) {
      sealed.closed();
    } else {
      sealed.opened(room.roomId());
    }
  }

  private static Seq next(Seq last) {
    return new Seq(last.value() + 1);
  }

  /// Updates may have been missed, and with them that the room on the screen was sealed.
  void lookAgain(RoomId room) {
    if (view.shows(room) && view.seal().isEmpty()) {
      sealNow(room)
          .ifPresent(
              seal -> {
                view.sealed(seal);
                sealed(room);
              });
    }
  }

  /// The last number of a room, whoever can read what stands there.
  Seq newestOf(RoomId room) {
    return api.room(room).await().seq();
  }

  /// Lines may have been missed of what is kept of the room on the screen.
  void missed(RoomId room) {
    if (view.seal().isPresent()) {
      sealed.lines(room).forEach(view::show);
    }
  }

  /// More is kept of the room on the screen than when it was opened, or it is known to be sealed.
  void came(RoomId room) {
    SealedPage kept = sealed.page(room, view.seal());
    RoomSeal seal = kept.seal();
    if (seal == null) {
      return;
    }
    view.sealed(seal);
    if (!view.isClosed()) {
      sealed(room);
      List<SealedLine> lines = view.came(kept.lines(), Commands.USUAL_HISTORY);
      sealed.came(lines.stream().filter(view::isOwn).toList());
    }
  }

  /// Others are in the room that is on the screen.
  void membersChanged() {
    sealed.membersChanged();
  }

  /// The room that is on the screen was sealed now; nothing where that was known.
  void sealed(RoomId room) {
    if (!sealed.isOpen(room)) {
      view.seal().ifPresent(seal -> sealed.open(room, seal, List.of(), next(view.newest())));
      sealed.opened(room);
    }
  }

  private void tellCapacity(ChatRoom room, long capacity) {
    screen.line(
        "* "
            + seats
                .text(room.roomId())
                .orElse(
                    "at most %d can be inside at once; /enter takes a seat, or a place in the line"
                        .formatted(capacity)));
    if (!Boolean.TRUE.equals(room.readOutside())) {
      screen.line("* only who is inside can read");
    }
  }

  /// Empty for one who is outside and may not read from there.
  private Optional<HistoryPage> newest(RoomId room) {
    try {
      return Optional.of(api.history(room, HistoryQuery.newest()).await());
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.NO_SEAT)) {
        return Optional.empty();
      }
      throw refusal;
    }
  }

  /// Shows what could not be read when the room was opened, where that was so.
  ///
  /// @return whether something was shown
  boolean goOn(RoomId room) {
    if (!view.shows(room) || !view.isClosed()) {
      return false;
    }
    Optional<HistoryPage> page = newest(room);
    page.ifPresent(read -> show(unreadIn(api.room(room).await()), read));
    return page.isPresent();
  }

  /// The room with what is unread there, which only lists of rooms say.
  private ChatRoom unreadIn(ChatRoom room) {
    return room.unread() != null
        ? room
        : api.rooms().await().stream()
            .filter(listed -> listed.roomId().equals(room.roomId()))
            .findFirst()
            .orElse(room);
  }
}
