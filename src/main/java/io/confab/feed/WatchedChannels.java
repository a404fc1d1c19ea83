package io.confab.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// Counts the watchers of each channel on this node. For any thread.
///
/// The first watcher begins interest at once. The last one's leaving ends it only after a sweep has
/// passed, so that coming and going does not reach Redis. Begin and end of one channel are told one
/// after the other, in the order in which the count changed.
final class WatchedChannels {
  private final ConcurrentHashMap<String, Integer> watchers = new ConcurrentHashMap<>();
  private final Queue<String> idle = new ConcurrentLinkedQueue<>();
  private final Consumer<String> begin;
  private final Consumer<String> end;
  private List<String> idleBefore = List.of();

  WatchedChannels(Consumer<String> begin, Consumer<String> end) {
    this.begin = begin;
    this.end = end;
  }

  void watch(String channel) {
    watchers.compute(
        channel,
        (key, count) -> {
          if (count == null) {
            begin.accept(key);
            return 1;
          }
          return count + 1;
        });
  }

  void unwatch(String channel) {
    int left =
        watchers.compute(
            channel,
            (key, count) -> {
              if (count == null || count == 0) {
                throw new IllegalStateException("nobody watches " + key);
              }
              return count - 1;
            });
    if (left == 0) {
      idle.add(channel);
    }
  }

  /// Does `work` if the interest in the channel has begun and not ended, and keeps it from ending
  /// meanwhile.
  void whileWatched(String channel, Consumer<String> work) {
    watchers.computeIfPresent(
        channel,
        (key, count) -> {
          work.accept(key);
          return count;
        });
  }

  /// Ends the interest in channels that nobody watched at the last sweep nor does now. Called
  /// regularly by one thread.
  void sweep() {
    idleBefore.forEach(
        channel ->
            watchers.computeIfPresent(
                channel,
                (key, count) -> {
                  if (count > 0) {
                    return count;
                  }
                  end.accept(key);
                  return null;
                }));
    List<String> nowIdle = new ArrayList<>();
    for (String channel = idle.poll(); channel != null; channel = idle.poll()) {
      nowIdle.add(channel);
    }
    idleBefore = nowIdle;
  }
}
