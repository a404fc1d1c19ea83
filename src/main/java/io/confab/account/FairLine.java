package io.confab.account;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A bounded line that serves its owners in turn, however many entries each of them has waiting.
/// A full line drops the last entry of the owner with most, so that a few cannot fill it alone.
/// Not thread-safe.
///
/// @param <W> the owner of an entry
final class FairLine<W, T> {
  private final int most;
  private final Map<W, ArrayDeque<T>> waiting = new LinkedHashMap<>();
  private int size;

  FairLine(int most) {
    this.most = most;
  }

  /// Puts something at the end of what somebody waits with. Returns what has to go for it; that
  /// may be the same.
  Optional<T> add(W who, T what) {
    waiting.computeIfAbsent(who, _ -> new ArrayDeque<>()).addLast(what);
    size++;
    return size <= most ? Optional.empty() : Optional.of(removeLastOfMost());
  }

  private T removeLastOfMost() {
    var longest =
        waiting.entrySet().stream()
            .reduce((one, later) -> later.getValue().size() >= one.getValue().size() ? later : one)
            .orElseThrow();
    T last = longest.getValue().removeLast();
    removed(longest.getKey(), longest.getValue());
    return last;
  }

  /// The next entry, if any; its owner is served last from now on.
  Optional<T> poll() {
    if (size == 0) {
      return Optional.empty();
    }
    var first = waiting.entrySet().iterator().next();
    waiting.remove(first.getKey());
    T next = first.getValue().removeFirst();
    waiting.put(first.getKey(), first.getValue());
    removed(first.getKey(), first.getValue());
    return Optional.of(next);
  }

  private void removed(W who, ArrayDeque<T> rest) {
    size--;
    if (rest.isEmpty()) {
      waiting.remove(who);
    }
  }
}
