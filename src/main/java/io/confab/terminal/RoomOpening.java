package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.screen.Screen;
import java.util.Optional;

/// Puts another room on the screen: what it is, and its newest messages, or that it cannot be read
/// from outside. Blocks while it asks the server.
final class RoomOpening {
  private final ConfabApi api;
  private final Screen screen;
  private final Names names;
  private final SeatNotices seats;
  private final RoomView view;

  RoomOpening(ConfabApi api, Screen screen, Names names, SeatNotices seats, RoomView view) {
    this.api = api;
    this.screen = screen;
    this.names = names;
    this.seats = seats;
    this.view = view;
  }

  void open(ChatRoom room) {
    Optional<HistoryPage> page = newest(room.roomId());
    screen.line(
        "* %s, members: %d; /help lists what else can be typed"
            .formatted(names.title(room), room.memberCount()));
    Optional.ofNullable(room.capacity()).ifPresent(capacity -> tellCapacity(room, capacity));
    page.ifPresentOrElse(
        read -> view.open(unreadIn(room), read, Commands.USUAL_HISTORY),
        () -> view.openClosed(room));
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
    page.ifPresent(
        read -> view.open(unreadIn(api.room(room).await()), read, Commands.USUAL_HISTORY));
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
