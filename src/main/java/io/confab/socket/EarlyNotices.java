package io.confab.socket;

import io.confab.listener.SharedBound;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Notices of one session about rooms that came or went, kept back between `welcome` and the first
/// `resume`. When they grow too many, or those of all sessions of the loop too large, the client
/// has to come anew.
final class EarlyNotices {
  /// What a notice takes, but for the texts of its room.
  static final int BYTES = 400;

  private final SharedBound shared;
  private final int most;
  private final Runnable comeAnew;
  private final List<Early> kept = new ArrayList<>();
  private boolean open;

  private record Early(RoomId room, int bytes, Runnable notice) {}

  EarlyNotices(Outbound out, SharedBound shared, int most) {
    this.shared = shared;
    this.most = most;
    this.comeAnew = () -> out.close(CloseCode.RESYNC, "too much happened before resume");
  }

  void whenOpen(RoomId room, int bytes, Runnable notice) {
    if (open) {
      notice.run();
    } else if (kept.size() < most) {
      kept.add(new Early(room, bytes, notice));
      count();
    } else {
      comeAnew.run();
    }
  }

  static int bytes(Room room) {
    return BYTES + characters(room.name()) + characters(room.description());
  }

  private static int characters(@Nullable String text) {
    return text == null ? 0 : Character.BYTES * text.length();
  }

  void forget(RoomId room) {
    kept.removeIf(early -> early.room().equals(room));
    count();
  }

  void open() {
    open = true;
    kept.forEach(early -> early.notice().run());
    close();
  }

  void close() {
    kept.clear();
    count();
  }

  private void count() {
    shared.holds(comeAnew, kept.stream().mapToInt(Early::bytes).sum());
  }
}
