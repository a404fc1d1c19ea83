package io.confab.postgres;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A page of a list that is read by key.
///
/// @param next the key to go on after; absent at the end
public record Page<T, K>(List<T> items, @Nullable K next) {
  /// Makes a page from a read of one item more than the limit.
  public static <T, K> Page<T, K> of(List<T> read, int limit, Function<T, K> key) {
    if (read.size() <= limit) {
      return new Page<>(read, null);
    }
    List<T> items = read.subList(0, limit);
    return new Page<>(items, key.apply(items.getLast()));
  }
}
