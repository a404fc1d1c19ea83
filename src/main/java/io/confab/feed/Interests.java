package io.confab.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The listeners of this node by room (or account). Thread-safe; what is watched outside
/// follows the first and the last interest in order.
///
/// @param <K> room or account
/// @param <L> one listener for each event loop
final class Interests<K, L> {
  private final ConcurrentHashMap<K, List<L>> listeners = new ConcurrentHashMap<>();
  private final Consumer<K> watch;
  private final Consumer<K> unwatch;

  Interests(Consumer<K> watch, Consumer<K> unwatch) {
    this.watch = watch;
    this.unwatch = unwatch;
  }

  void add(K key, L listener) {
    listeners.compute(
        key,
        (k, present) -> {
          if (present == null) {
            watch.accept(k);
            return List.of(listener);
          }
          List<L> more = new ArrayList<>(present);
          more.add(listener);
          return List.copyOf(more);
        });
  }

  void remove(K key, L listener) {
    listeners.computeIfPresent(
        key,
        (k, present) -> {
          List<L> fewer = new ArrayList<>(present);
          fewer.remove(listener);
          if (fewer.isEmpty()) {
            unwatch.accept(k);
            return null;
          }
          return List.copyOf(fewer);
        });
  }

  List<L> of(K key) {
    return listeners.getOrDefault(key, List.of());
  }
}
