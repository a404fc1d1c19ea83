package io.confab.terminal;

import io.confab.client.Presence;
import io.confab.client.RoomPosition;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.util.List;

/// What the thread of a chat does and prints when its client tells something.
final class ChatEvents {
  private final Screen screen;
  private final Names names;
  private final News news;
  private final Signs signs;
  private final SeatNotices seats;
  private final OpenRoom open;
  private boolean quiet;

  ChatEvents(Screen screen, Names names, News news, Signs signs, SeatNotices seats, OpenRoom open) {
    this.screen = screen;
    this.names = names;
    this.news = news;
    this.signs = signs;
    this.seats = seats;
    this.open = open;
  }

  /// From now on nothing is printed of who comes and goes.
  void beQuiet() {
    quiet = true;
  }

  /// Is told first, on the event loop of the client.
  SealedAccess sealed() {
    return open.sealed();
  }

  void added(RoomPosition room) {
    news.begin(room);
  }

  void removed(RoomId room, String reason) {
    news.end(room);
    seats.end(room);
    if (open.shows(room)) {
      screen.line("* you are no longer in this room (" + Plain.line(reason) + ")");
    }
  }

  void present(Presence who) {
    if (!quiet) {
      names.learn(List.of(who.accountId()));
      screen.line("* %s is %s".formatted(Plain.line(names.of(who.accountId())), Around.said(who)));
    }
  }

  void signalled(RoomSignal signal) {
    switch (signal) {
      case RoomSignal.Unread count -> news.recounted(count);
      case RoomSignal.Typing typing -> names.learn(List.of(typing.accountId()));
      case RoomSignal.Delivered delivered -> tellReceipt(delivered.roomId());
      case RoomSignal.Read read -> tellReceipt(read.roomId());
      case RoomSignal.Marker _,
          RoomSignal.Arrived _,
          RoomSignal.Undelivered _,
          RoomSignal.OfSeat _ -> {}
    }
  }

  private void tellReceipt(RoomId room) {
    if (open.shows(room) && !screen.isTerminal()) {
      signs.receipts().news(room).ifPresent(text -> screen.line("* " + text));
    }
  }

  void seat(RoomSignal.OfSeat seat) {
    seats.told(seat, open.room());
    if (seat instanceof RoomSignal.SeatInside) {
      open.goOn(seat.roomId());
    }
  }

  void updated(RoomUpdate update) {
    open.goOn(update.roomId());
    if (open.shows(update.roomId())) {
      open.updated(update);
    } else if (news.add(update)) {
      names.learn(update.roomId());
      if (!screen.isTerminal()) {
        screen.line("* news in " + names.title(update.roomId()));
      }
    }
  }
}
