package io.confab.client.sealed;

import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A transaction of a [SealedStore]: reads see what it changed, nobody else does before it is kept
/// as a whole.
final class Changes {
  private final SealedStore store;
  private final NavigableMap<String, Optional<byte[]>> changed = new TreeMap<>();

  Changes(SealedStore store) {
    this.store = store;
  }

  Optional<byte[]> get(String key) {
    Optional<byte[]> own = changed.get(key);
    return own != null ? own : store.get(key);
  }

  void put(String key, byte[] value) {
    changed.put(key, Optional.of(value));
  }

  void remove(String key) {
    changed.put(key, Optional.empty());
  }

  /// The keys that begin so, in order.
  List<String> keys(String prefix) {
    Collection<String> keys = new TreeSet<>(store.keys(prefix));
    SealedStore.beginning(changed, prefix)
        .forEach(
            (key, value) -> {
              if (value.isPresent()) {
                keys.add(key);
              } else {
                keys.remove(key);
              }
            });
    return List.copyOf(keys);
  }

  /// What is to be written: the new value of each key, or none where it goes.
  NavigableMap<String, Optional<byte[]>> all() {
    return changed;
  }
}
