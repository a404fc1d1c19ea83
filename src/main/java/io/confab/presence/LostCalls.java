package io.confab.presence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The calls to Redis whose answers this node did not get, by the keys at which their transitions
/// stand if they were carried out. For any thread.
///
/// A call may be carried out later than it failed, so each is looked for several times. Of too many
/// the oldest are forgotten.
final class LostCalls {
  /// Of one shard.
  static final int MOST = 100;

  private static final int LOOKS = 10;

  private final Map<Integer, Map<String, Integer>> looksLeft = new HashMap<>();

  synchronized void add(int shard, String key) {
    Map<String, Integer> lost = looksLeft.computeIfAbsent(shard, _ -> new LinkedHashMap<>());
    lost.put(key, LOOKS);
    if (lost.size() > MOST) {
      lost.remove(lost.keySet().iterator().next());
    }
  }

  /// Those to look for now.
  synchronized List<String> of(int shard) {
    return new ArrayList<>(looksLeft.getOrDefault(shard, Map.of()).keySet());
  }

  /// It was looked for, and found or not.
  synchronized void looked(int shard, String key, boolean found) {
    Map<String, Integer> lost = looksLeft.getOrDefault(shard, Map.of());
    lost.computeIfPresent(key, (_, left) -> found || left == 1 ? null : left - 1);
  }
}
