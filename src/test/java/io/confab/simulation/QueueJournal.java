package io.confab.simulation;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeDraft;
import io.confab.simulation.ModelQueues.Payload;
import io.confab.simulation.ModelQueues.Queue;
import io.confab.simulation.ModelQueues.Receipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All that was ever committed to queues, whatever became of it, and what must not have happened.
final class QueueJournal {
  private final Map<Place, Written> written = new HashMap<>();
  private final Map<Stored, Seq> stored = new HashMap<>();
  private final Set<Place> emptied = new HashSet<>();
  private final Set<Receipt> delivered = new HashSet<>();
  private final Set<Receipt> failed = new HashSet<>();
  private final Map<Caller, Deque<Waiting>> claimed = new HashMap<>();
  private final Set<Waiting> woken = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private final long wakesWithin;
  private long expiredUpTo;

  /// A number of a queue.
  record Place(Epoch epoch, RegistrationId registration, long seq) {}

  /// What was put there.
  record Written(Payload payload, @Nullable String body) {}

  private record Stored(Epoch epoch, AccountId sender, ClientId clientId) {}

  /// The time from when a queue begins to wait for its device until it does no more.
  private record Waiting(Epoch epoch, RegistrationId registration, long period) {}

  /// @param wakesWithin milliseconds in which a device that waits is woken; 0 where nobody knows
  QueueJournal(long wakesWithin) {
    this.wakesWithin = wakesWithin;
  }

  List<String> violations() {
    return violations;
  }

  void violated(String rule, String how) {
    violations.add(rule + ": " + how);
  }

  void stored(Epoch epoch, EnvelopeDraft draft, Seq seq) {
    stored.put(new Stored(epoch, draft.sender().account(), draft.clientId()), seq);
  }

  /// Whether a send is stored, under any epoch, with this number.
  boolean isStored(AccountId sender, ClientId clientId, long seq, Epoch now) {
    for (long e = 1; e <= now.value(); e++) {
      Seq known = stored.get(new Stored(new Epoch(e), sender, clientId));
      if (known != null && known.value() == seq) {
        return true;
      }
    }
    return false;
  }

  void written(Epoch epoch, Queue queue, Payload payload, @Nullable String body) {
    Place place = new Place(epoch, queue.id, queue.last);
    if (written.put(place, new Written(payload, body)) != null) {
      violated("QUEUE_NUMBERS", place + " was given twice");
    }
  }

  /// What was put there, under this epoch or the one that it is a copy of.
  @Nullable Written at(Place place) {
    for (long e = place.epoch().value(); e > 0; e--) {
      Written found = written.get(new Place(new Epoch(e), place.registration(), place.seq()));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /// A device has acknowledged up to a number.
  void emptied(Epoch epoch, Queue queue, long upTo, long now) {
    boolean waits = queue.gone < queue.loud && upTo >= queue.loud;
    Waiting waiting = new Waiting(epoch, queue.id, queue.period);
    if (wakesWithin > 0
        && waits
        && now - wakesWithin > queue.loudSince
        && !woken.contains(waiting)) {
      violated("WAKE", queue.owner + " was never woken, " + (now - queue.loudSince) + " ms long");
    }
  }

  /// What stood there was taken out.
  void emptied(Epoch epoch, RegistrationId registration, long seq) {
    emptied.add(new Place(epoch, registration, seq));
  }

  /// What is due by now has been ended.
  void expired(long now) {
    expiredUpTo = Math.max(expiredUpTo, now);
  }

  /// Whether an envelope may come without what it held.
  boolean mayBeEmpty(Place place) {
    Written there = at(place);
    for (long e = place.epoch().value(); e > 0; e--) {
      if (emptied.contains(new Place(new Epoch(e), place.registration(), place.seq()))) {
        return true;
      }
    }
    return there != null && there.payload().due() <= expiredUpTo;
  }

  void delivered(Receipt receipt) {
    delivered.add(receipt);
  }

  boolean isDelivered(Receipt receipt) {
    return delivered.contains(receipt);
  }

  void failed(Receipt receipt) {
    failed.add(receipt);
  }

  boolean isFailed(Receipt receipt) {
    return failed.contains(receipt);
  }

  /// A node was told to wake these devices.
  void claimed(Epoch epoch, Queue queue) {
    claimed
        .computeIfAbsent(queue.owner, _ -> new ArrayDeque<>())
        .addFirst(new Waiting(epoch, queue.id, queue.period));
  }

  /// Nobody may have heard that: it may be woken once more.
  void claimLost(Epoch epoch, Queue queue) {
    if (wakesWithin > 0) {
      violated("WAKE", queue.owner + " was to be woken, and nobody said that it was");
    }
    woken.remove(new Waiting(epoch, queue.id, queue.period));
  }

  void woke(Caller device) {
    Deque<Waiting> told = claimed.getOrDefault(device, new ArrayDeque<>());
    Waiting newest = told.stream().filter(w -> !woken.contains(w)).findFirst().orElse(null);
    if (newest == null) {
      violated("WAKE", device + " is woken, for which nobody was told to but " + told);
    } else {
      woken.add(newest);
    }
  }
}
