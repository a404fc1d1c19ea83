package io.confab.listener;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Bounds the bytes that several clients leave waiting together: of frames or messages that they
/// do not finish, or of what they are to be told once they resume. Beyond it the client is cut
/// off whose bytes have waited for longest; an honest one is done in a moment. For one
/// event loop, or under a lock.
public final class SharedBound {
  private final long most;

  /// What sends each client away, with its bytes; the oldest first.
  private final Map<Runnable, Integer> waiting = new LinkedHashMap<>();

  private long bytes;

  public SharedBound(long most) {
    this.most = most;
  }

  /// So many bytes of a client wait now.
  ///
  /// @param cutOff sends the client away; always the same one for it
  public void holds(Runnable cutOff, int now) {
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

  public long bytes() {
    return bytes;
  }
}
