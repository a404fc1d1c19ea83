package io.confab.feed;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Bounds the bytes of all recent windows that this node writes: when there are too many, those go
/// that it did not write to for longest. For any thread.
final class WindowBudget {
  /// What a window takes beside its entries, in Redis and here, about.
  private static final int WINDOW = 1_024;

  private final long most;

  /// The bytes of each window, the coldest first.
  private final Map<String, Long> windows = new LinkedHashMap<>();

  private long bytes;

  WindowBudget(long most) {
    this.most = most;
  }

  /// Notes that these windows hold so many bytes now, each warmer than those before it and than all
  /// others. Answers the windows that are to go.
  synchronized List<String> hold(Map<String, Long> entries) {
    entries.forEach(this::note);
    List<String> cold = new ArrayList<>();
    Iterator<Map.Entry<String, Long>> coldest = windows.entrySet().iterator();
    while (bytes > most && windows.size() > 1) {
      Map.Entry<String, Long> next = coldest.next();
      bytes -= next.getValue();
      cold.add(next.getKey());
      coldest.remove();
    }
    return cold;
  }

  private void note(String window, long entries) {
    Long before = windows.remove(window);
    windows.put(window, entries + WINDOW);
    bytes += entries + WINDOW - (before == null ? 0 : before);
  }
}
