package io.confab.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Which event loops of this node care for which rooms (or accounts). Thread-safe; what is
/// watched outside follows the first and the last interest in order.
///
/// @param <K> room or account
final class Interests<K> {
  private final ConcurrentHashMap<K, List<FeedLoop>> loops = new ConcurrentHashMap<>();
  private final Consumer<K> watch;
  private final Consumer<K> unwatch;

  Interests(Consumer<K> watch, Consumer<K> unwatch) {
    this.watch = watch;
    this.unwatch = unwatch;
  }

  void add(K key, FeedLoop loop) {
    loops.compute(
        key,
        (k, present) -> {
          if (present == null) {
            watch.accept(k);
            return List.of(loop);
          }
          List<FeedLoop> more = new ArrayList<>(present);
          more.add(loop);
          return List.copyOf(more);
        });
  }

  void remove(K key, FeedLoop loop) {
    loops.computeIfPresent(
        key,
        (k, present) -> {
          List<FeedLoop> fewer = new ArrayList<>(present);
          fewer.remove(loop);
          if (fewer.isEmpty()) {
            unwatch.accept(k);
            return null;
          }
          return List.copyOf(fewer);
        });
  }

  List<FeedLoop> of(K key) {
    return loops.getOrDefault(key, List.of());
  }
}
