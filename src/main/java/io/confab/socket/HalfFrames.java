package io.confab.socket;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Bounds the bytes of frames that the clients of an event loop, to which this belongs, have begun
/// and not finished, and of those that are not read yet. Beyond it the connection goes that has
/// let some wait for longest: who sends a frame as a whole is read in a moment.
final class HalfFrames {
  private final long most;

  /// What ends each connection, with its bytes; the oldest first.
  private final Map<Runnable, Integer> waiting = new LinkedHashMap<>();

  private long bytes;

  HalfFrames(long most) {
    this.most = most;
  }

  /// So many bytes of a connection wait now.
  ///
  /// @param cutOff ends the connection; always the same one for it
  void holds(Runnable cutOff, int now) {
    Integer before = now == 0 ? waiting.remove(cutOff) : waiting.put(cutOff, now);
    bytes += now - (before == null ? 0 : before);
    while (bytes > most && waiting.size() > 1) {
      Iterator<Map.Entry<Runnable, Integer>> oldest = waiting.entrySet().iterator();
      Map.Entry<Runnable, Integer> shed = oldest.next();
      oldest.remove();
      bytes -= shed.getValue();
      shed.getKey().run();
    }
  }

  long bytes() {
    return bytes;
  }
}
