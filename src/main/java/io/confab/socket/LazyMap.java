package io.confab.socket;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A map in the order of insertion that takes no memory while it is empty, as most of what a
/// session keeps is. An iterator takes nothing out.
final class LazyMap<K, V> extends AbstractMap<K, V> {
  private @Nullable Map<K, V> entries;

  @Override
  public @Nullable V put(K key, V value) {
    Map<K, V> some = entries == null ? new LinkedHashMap<>(4) : entries;
    entries = some;
    return some.put(key, value);
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return entries == null ? null : entries.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries != null && entries.containsKey(key);
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    Map<K, V> some = entries;
    if (some == null) {
      return null;
    }
    V was = some.remove(key);
    if (some.isEmpty()) {
      entries = null;
    }
    return was;
  }

  @Override
  public void clear() {
    entries = null;
  }

  @Override
  public int size() {
    return entries == null ? 0 : entries.size();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return entries == null ? Set.of() : entries.entrySet();
  }
}
