package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.RoomUpdate;
import io.confab.protocol.RoomId;
import java.util.Optional;

/// The room that the person looks at: what is on the screen of it, and that this is read.
final class OpenRoom {
  private final RoomOpening opening;
  private final RoomView view;
  private final Reading reading;
  private final News news;

  OpenRoom(RoomOpening opening, RoomView view, Reading reading, News news) {
    this.opening = opening;
    this.view = view;
    this.reading = reading;
    this.news = news;
  }

  /// Empty before one was opened.
  Optional<RoomId> room() {
    return view.room();
  }

  boolean shows(RoomId room) {
    return view.shows(room);
  }

  /// Another one in its place. Blocks while it asks the server.
  void open(ChatRoom room) {
    opening.open(room);
    reading.opened(room.roomId());
    seen(room.roomId());
  }

  /// The room may be readable now, if it was not when it was opened.
  void goOn(RoomId room) {
    if (opening.goOn(room)) {
      seen(room);
    }
  }

  /// Something is new in it.
  void updated(RoomUpdate update) {
    view.show(update);
    if (reading.isPaused()) {
      news.add(update);
    }
    reading.seen(view.newest());
  }

  private void seen(RoomId room) {
    reading.seen(view.newest());
    news.seen(room);
  }
}
