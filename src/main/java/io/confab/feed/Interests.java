package io.confab.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Which event loops of this node care for which rooms (or accounts). Thread-safe; what is
/// watched outside follows the first and the last interest in order.
///
/// @param <K> room or account
final class Interests<K> {
  private record Interest(List<FeedLoop> loops, boolean heard) {}

  private final ConcurrentHashMap<K, Interest> interests = new ConcurrentHashMap<>();
  private final Consumer<K> watch;
  private final Consumer<K> unwatch;

  Interests(Consumer<K> watch, Consumer<K> unwatch) {
    this.watch = watch;
    this.unwatch = unwatch;
  }

  /// Adds an interest; answers whether what happens there is heard already.
  boolean add(K key, FeedLoop loop) {
    return interests
        .compute(
            key,
            (k, interest) -> {
              if (interest == null) {
                watch.accept(k);
                return new Interest(List.of(loop), false);
              }
              List<FeedLoop> loops = new ArrayList<>(interest.loops());
              loops.add(loop);
              return new Interest(List.copyOf(loops), interest.heard());
            })
        .heard();
  }

  void remove(K key, FeedLoop loop) {
    interests.computeIfPresent(
        key,
        (k, interest) -> {
          List<FeedLoop> loops = new ArrayList<>(interest.loops());
          loops.remove(loop);
          if (loops.isEmpty()) {
            unwatch.accept(k);
            return null;
          }
          return new Interest(List.copyOf(loops), interest.heard());
        });
  }

  List<FeedLoop> of(K key) {
    Interest interest = interests.get(key);
    return interest == null ? List.of() : interest.loops();
  }

  void heard(Collection<K> keys, boolean heard) {
    keys.forEach(key -> interests.computeIfPresent(key, (_, i) -> new Interest(i.loops(), heard)));
  }

  Set<K> all() {
    return Set.copyOf(interests.keySet());
  }
}
