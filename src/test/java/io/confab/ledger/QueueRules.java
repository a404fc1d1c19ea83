package io.confab.ledger;

import io.confab.ledger.FinalQueues.Waiting;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What devices of sealed rooms have at the end, and in which order.
final class QueueRules {
  private final Envelopes envelopes;
  private final Queues queues;
  private final Findings findings;

  QueueRules(Envelopes envelopes, Queues queues, Findings findings) {
    this.envelopes = envelopes;
    this.queues = queues;
    this.findings = findings;
  }

  void check(FinalQueues end) {
    queues.forEach(
        (id, log) -> {
          inRealTime(id, log.came.descendingMap().values());
          keysFirst(id, log.came.values());
        });
    end.queues().forEach((device, queue) -> ended(new Queues.Id(device, end.epoch()), queue));
    complete(end);
  }

  /// From the last one on: none was acknowledged before one that stands before it began.
  private void inRealTime(Queues.Id id, Collection<Entry.EnvelopeCame> backwards) {
    long acked = Envelopes.Sent.NEVER;
    for (Entry.EnvelopeCame came : backwards) {
      Envelopes.Sent sent = envelopes.all().get(new Sends.Key(came.sender(), came.clientId()));
      if (sent == null) {
        continue;
      }
      if (sent.began > acked) {
        findings.add(
            Invariant.QUEUES_IN_REAL_TIME,
            "in %s one that was acknowledged before stands behind %s".formatted(id, came));
      }
      acked = Math.min(acked, sent.acked);
    }
  }

  /// What was gone when it came first may have brought any key.
  private void keysFirst(Queues.Id id, Collection<Entry.EnvelopeCame> inOrder) {
    Set<String> keys = new HashSet<>();
    for (Entry.EnvelopeCame came : inOrder) {
      if (came.isGone()) {
        return;
      }
      keys.add(came.brings());
      envelopes
          .of(came)
          .filter(each -> !each.payloadHash().isEmpty() && !keys.contains(each.key()))
          .ifPresent(
              each ->
                  findings.add(
                      Invariant.KEYS_FIRST, "%s in %s needs %s".formatted(came, id, each.key())));
    }
  }

  private void ended(Queues.Id id, Waiting queue) {
    Queues.Log log = queues.of(id.registration(), id.epoch());
    if (!queue.isEmpty() || log.kept != queue.last() || log.came.size() != queue.last()) {
      findings.add(
          Invariant.QUEUE_COMPLETE,
          "%s has %s, of which %d came and %d are kept"
              .formatted(id, queue, log.came.size(), log.kept));
    }
  }

  private void complete(FinalQueues end) {
    for (Map.Entry<Sends.Key, Envelopes.Sent> each : envelopes.all().entrySet()) {
      Envelopes.Sent sent = each.getValue();
      if (sent.acked != Envelopes.Sent.NEVER) {
        sent.stored()
            .ifPresent(
                stored ->
                    stored.targets().stream()
                        .filter(end.queues()::containsKey)
                        .filter(device -> !hasCome(device, end.epoch(), each.getKey()))
                        .forEach(
                            device ->
                                findings.add(
                                    Invariant.QUEUE_COMPLETE,
                                    "%s, acknowledged, did not come to %d"
                                        .formatted(each.getKey(), device))));
      }
    }
  }

  /// What lost its content before it came first is not known by its name.
  private boolean hasCome(long device, long epoch, Sends.Key key) {
    Queues.Log log = queues.of(device, epoch);
    return log.numbers.containsKey(key)
        || log.came.values().stream().anyMatch(Entry.EnvelopeCame::isGone);
  }
}
