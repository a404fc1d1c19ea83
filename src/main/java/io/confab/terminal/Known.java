package io.confab.terminal;

import io.confab.screen.Plain;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/// The handles and rooms that a person may mean, for completion; none that is not safe to print,
/// since completion writes into the line. For any thread.
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
      more.stream().filter(name -> Plain.line(name).equals(name)).forEach(all::add);
    }
  }

  List<String> handles() {
    return List.copyOf(handles);
  }

  List<String> rooms() {
    return List.copyOf(rooms);
  }
}
