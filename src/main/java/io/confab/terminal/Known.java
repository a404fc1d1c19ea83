package io.confab.terminal;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/// The handles and rooms that a person may mean, for completion. For any thread.
public final class Known {
  private static final int MOST = 10_000;

  private final ConcurrentSkipListSet<String> handles = new ConcurrentSkipListSet<>();
  private final ConcurrentSkipListSet<String> rooms = new ConcurrentSkipListSet<>();

  void handles(Collection<String> more) {
    add(handles, more);
  }

  void rooms(Collection<String> more) {
    add(rooms, more);
  }

  private static void add(ConcurrentSkipListSet<String> all, Collection<String> more) {
    if (all.size() + more.size() <= MOST) {
      all.addAll(more);
    }
  }

  List<String> handles() {
    return List.copyOf(handles);
  }

  List<String> rooms() {
    return List.copyOf(rooms);
  }
}
