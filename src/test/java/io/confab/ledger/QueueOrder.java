package io.confab.ledger;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The order in which all devices get what they get: there is one if no envelope has to stand
/// before itself, when each queue says of all that follow each other in it which comes first. Then
/// any two of them have what both got in the same order.
final class QueueOrder {
  private final Map<Sends.Key, Set<Sends.Key>> later = new LinkedHashMap<>();
  private final Map<Sends.Key, Integer> before = new LinkedHashMap<>();

  static void check(Queues queues, Findings findings) {
    QueueOrder order = new QueueOrder();
    queues.forEach((_, log) -> order.add(log));
    order.take();
    if (!order.before.isEmpty()) {
      findings.add(
          Invariant.QUEUES_ALIKE,
          "no order of all devices has a place for %d envelopes: %s"
              .formatted(order.before.size(), order.before.keySet().stream().limit(5).toList()));
    }
  }

  private void add(Queues.Log log) {
    Sends.Key last = null;
    for (Entry.EnvelopeCame came : log.came.values()) {
      if (came.isGone()) {
        continue;
      }
      Sends.Key next = new Sends.Key(came.sender(), came.clientId());
      before.putIfAbsent(next, 0);
      if (last != null && later.computeIfAbsent(last, _ -> new LinkedHashSet<>()).add(next)) {
        before.merge(next, 1, Integer::sum);
      }
      last = next;
    }
  }

  /// Takes away one after the other what nothing stands before (Kahn); what is left has no place.
  private void take() {
    Deque<Sends.Key> free = new ArrayDeque<>();
    before.forEach(
        (key, count) -> {
          if (count == 0) {
            free.add(key);
          }
        });
    while (!free.isEmpty()) {
      Sends.Key first = free.remove();
      before.remove(first);
      for (Sends.Key next : later.getOrDefault(first, Set.of())) {
        if (before.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
  }
}
