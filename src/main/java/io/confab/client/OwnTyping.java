package io.confab.client;

import io.confab.protocol.RoomId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Tells others that the person types: in one room at a time, and every three seconds while it goes
/// on. Without a connection nobody is told.
final class OwnTyping {
  private static final long REPEAT_MS = 3_000;
  private static final long LAPSE_MS = 5_000;

  private final Consumer<Action> out;
  private @Nullable RoomId room;
  private long told;
  private boolean online;

  OwnTyping(Consumer<Action> out) {
    this.out = out;
  }

  void online() {
    online = true;
  }

  void lost() {
    online = false;
    room = null;
  }

  void typing(RoomId where, long now) {
    if (!online || (where.equals(room) && now - told < REPEAT_MS)) {
      return;
    }
    if (!where.equals(room)) {
      stop(now);
    }
    room = where;
    told = now;
    transmit("typing", where);
  }

  /// It is over, wherever it was.
  void stop(long now) {
    if (room != null && now - told < LAPSE_MS) {
      transmit("typing.stop", room);
    }
    room = null;
  }

  /// A message ends it without being told.
  void sent(RoomId where) {
    if (where.equals(room)) {
      room = null;
    }
  }

  private void transmit(String type, RoomId where) {
    out.accept(
        new Action.Transmit(
            ClientJson.object().put("type", type).put("room_id", where.toString())));
  }
}
