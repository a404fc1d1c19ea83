package io.confab.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Writes down what a subscription tells.
final class Heard implements PubSub.Listener {
  final List<String> messages = new CopyOnWriteArrayList<>();
  final AtomicInteger confirmations = new AtomicInteger();
  final AtomicInteger downs = new AtomicInteger();
  private volatile Set<String> confirmed = Set.of();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();

  @Override
  public void message(String channel, byte[] payload) {
    messages.add(channel + " " + new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public void confirmed(Set<String> channels) {
    Set<String> all = new HashSet<>(confirmed);
    all.addAll(channels);
    confirmed = all;
    confirmations.incrementAndGet();
  }

  @Override
  public void lost(Set<String> channels) {
    lost.addAll(channels);
    Set<String> left = new HashSet<>(confirmed);
    left.removeAll(channels);
    confirmed = left;
    downs.incrementAndGet(); // last: whoever waits for it finds the channels gone
  }

  /// What is heard now.
  Set<String> confirmed() {
    return confirmed;
  }

  /// What was lost since this began, or since [#forgetLosses].
  Set<String> lost() {
    return lost;
  }

  void forgetLosses() {
    lost.clear();
  }
}
