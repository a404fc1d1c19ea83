package io.confab.chaos;

import io.confab.ledger.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads from a piece of history how long things took.
final class Recovery {
  private final List<Entry> history;
  private final Map<String, Long> ackedAt = new HashMap<>();

  Recovery(List<Entry> history) {
    this.history = history;
    for (Entry entry : history) {
      if (entry instanceof Entry.Acked acked) {
        ackedAt.putIfAbsent(acked.clientId(), acked.t());
      }
    }
  }

  /// From the first try of a send to its acknowledgement.
  Times acks() {
    Map<String, Long> begun = new HashMap<>();
    Times times = new Times();
    for (Entry entry : history) {
      if (entry instanceof Entry.SendBegan began) {
        begun.putIfAbsent(began.clientId(), began.t());
      } else if (entry instanceof Entry.Acked acked && begun.containsKey(acked.clientId())) {
        times.add(acked.t() - begun.remove(acked.clientId()));
      }
    }
    return times;
  }

  /// From the acknowledgement of a message to each of its receipts; those that came before it
  /// count as 0.
  Times deliveries() {
    Times times = new Times();
    for (Entry entry : history) {
      Long acked = ackOf(entry);
      if (acked != null) {
        times.add(Math.max(0, entry.t() - acked));
      }
    }
    return times;
  }

  private @Nullable Long ackOf(Entry entry) {
    return entry instanceof Entry.Received received && received.kind().equals(Entry.MESSAGE)
        ? ackedAt.get(received.clientId())
        : null;
  }

  /// How many clients lost their connection to the node after `since`.
  long lost(String node, long since) {
    return history.stream()
        .filter(entry -> isLost(entry, node, since))
        .map(entry -> ((Entry.Disconnected) entry).client())
        .distinct()
        .count();
  }

  /// For each client that lost its connection to the node: from `since` until it was connected
  /// again and had all that had been acknowledged by then.
  Times whole(String node, long since) {
    Set<String> lost = new HashSet<>();
    Map<String, Long> connected = new HashMap<>();
    Map<String, Long> whole = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.Disconnected d when isLost(d, node, since) -> lost.add(d.client());
        case Entry.Connected c when lost.contains(c.client()) ->
            connected.putIfAbsent(c.client(), c.t());
        case Entry.Received r -> {
          String client = r.view().substring(0, r.view().indexOf('/'));
          Long back = connected.get(client);
          Long acked = ackOf(r);
          if (back != null && acked != null && acked < back) {
            whole.put(client, r.t());
          }
        }
        default -> {}
      }
    }
    Times times = new Times();
    connected.forEach(
        (client, t) -> times.add(Math.max(t, whole.getOrDefault(client, 0L)) - since));
    return times;
  }

  private static boolean isLost(Entry entry, String node, long since) {
    return entry instanceof Entry.Disconnected end
        && end.node().equals(node)
        && end.t() >= since
        && end.code() != Entry.BY_ITSELF;
  }

  /// From `since` until the last message that came later than `late` after its acknowledgement.
  long lastLate(long since, long late) {
    long last = since;
    for (Entry entry : history) {
      Long acked = ackOf(entry);
      if (acked != null && entry.t() - acked > late) {
        last = Math.max(last, entry.t());
      }
    }
    return last - since;
  }

  /// From `since` until the last acknowledgement that came later than `late` after the first try of
  /// its send.
  long lastLateAck(long since, long late) {
    Map<String, Long> begun = new HashMap<>();
    long last = since;
    for (Entry entry : history) {
      if (entry instanceof Entry.SendBegan began) {
        begun.putIfAbsent(began.clientId(), began.t());
      } else if (entry instanceof Entry.Acked acked
          && acked.t() - begun.getOrDefault(acked.clientId(), acked.t()) > late) {
        last = Math.max(last, acked.t());
      }
    }
    return last - since;
  }

  /// From `since` until each client that talks was acknowledged again.
  Times firstAcks(long since) {
    Map<String, Long> first = new HashMap<>();
    for (Entry entry : history) {
      if (entry instanceof Entry.Acked acked && acked.t() >= since) {
        first.putIfAbsent(acked.client(), acked.t());
      }
    }
    Times times = new Times();
    first.values().forEach(t -> times.add(t - since));
    return times;
  }

  /// Of each room the longest time without an acknowledgement between the two times.
  Map<String, Long> longestGaps(List<String> rooms, long since, long until) {
    Map<String, Long> last = new HashMap<>();
    Map<String, Long> longest = new HashMap<>();
    rooms.forEach(room -> last.put(room, since));
    for (Entry entry : history) {
      if (entry instanceof Entry.Acked acked && acked.t() >= since && acked.t() <= until) {
        Long before = last.put(acked.room(), acked.t());
        longest.merge(acked.room(), acked.t() - (before == null ? since : before), Math::max);
      }
    }
    last.forEach((room, t) -> longest.merge(room, until - t, Math::max));
    return longest;
  }

  /// In how many rooms something was acknowledged between the two times.
  long ackedRooms(long since, long until) {
    return history.stream()
        .filter(e -> e instanceof Entry.Acked a && a.t() >= since && a.t() <= until)
        .map(e -> ((Entry.Acked) e).room())
        .distinct()
        .count();
  }

  long unanswered() {
    return history.stream()
        .filter(entry -> entry instanceof Entry.Refused || entry instanceof Entry.Unknown)
        .count();
  }

  long refusals() {
    return history.stream().filter(Entry.Refused.class::isInstance).count();
  }
}
