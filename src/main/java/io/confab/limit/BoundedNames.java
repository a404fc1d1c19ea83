package io.confab.limit;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/// A set of names, of which the oldest goes when there are too many. For any thread.
final class BoundedNames {
  private final Set<String> names = new LinkedHashSet<>();
  private final int most;

  BoundedNames(int most) {
    this.most = most;
  }

  synchronized void add(String name) {
    names.add(name);
    if (names.size() > most) {
      Iterator<String> eldest = names.iterator();
      eldest.next();
      eldest.remove();
    }
  }

  synchronized boolean contains(String name) {
    return names.contains(name);
  }

  synchronized void remove(String name) {
    names.remove(name);
  }
}
