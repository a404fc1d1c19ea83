package io.confab.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// What came to devices of sealed rooms, by queue and number, and whether each number came as it
/// must.
final class Queues {
  private final Findings findings;
  private final Map<Id, Log> logs = new LinkedHashMap<>();
  private final Map<Long, Owner> owners = new LinkedHashMap<>();
  private final Map<Long, Long> ends = new HashMap<>();

  /// The queue of a registration in an epoch.
  record Id(long registration, long epoch) {}

  /// @param since when the server had its keys
  record Owner(String account, long since) {}

  /// One queue.
  static final class Log {
    /// What came under each number; what is gone only where nothing came before.
    final NavigableMap<Long, Entry.EnvelopeCame> came = new TreeMap<>();

    final Map<Sends.Key, Long> numbers = new HashMap<>();
    final Set<Long> rejectAsked = new HashSet<>();
    final Set<Long> rejected = new HashSet<>();
    long kept;
    long ackAsked;
    long acked;
    private long next;
  }

  private Queues(Findings findings) {
    this.findings = findings;
  }

  static Queues of(Iterable<Entry> history, Findings findings) {
    Queues all = new Queues(findings);
    history.forEach(all::take);
    return all;
  }

  private void take(Entry entry) {
    switch (entry) {
      case Entry.DeviceBegan(long t, _, String account, long registration) ->
          owners.put(registration, new Owner(account, t));
      case Entry.DeviceEnds(long t, _, long registration) -> ends.putIfAbsent(registration, t);
      case Entry.QueueOpened opened -> opened(opened);
      case Entry.EnvelopeCame came -> came(came);
      case Entry.QueueKept kept -> {
        Log log = log(kept.registration(), kept.epoch());
        log.kept = Math.max(log.kept, kept.queueSeq());
      }
      case Entry.QueueAsked asked -> {
        Log log = log(asked.registration(), asked.epoch());
        if (asked.kind().equals(Entry.REJECT)) {
          log.rejectAsked.add(asked.queueSeq());
        } else {
          log.ackAsked = Math.max(log.ackAsked, asked.queueSeq());
        }
      }
      case Entry.QueueMoved moved -> {
        Log log = log(moved.registration(), moved.epoch());
        if (moved.kind().equals(Entry.REJECT)) {
          log.rejected.add(moved.queueSeq());
        } else {
          log.acked = Math.max(log.acked, moved.queueSeq());
        }
      }
      default -> {}
    }
  }

  private Log log(long registration, long epoch) {
    return logs.computeIfAbsent(new Id(registration, epoch), _ -> new Log());
  }

  /// A client names what it has kept, or less, but not less than it acknowledged.
  private void opened(Entry.QueueOpened opened) {
    Log log = log(opened.registration(), opened.epoch());
    if (opened.reset() ? log.next > 0 : opened.after() > opened.last()) {
      findings.add(Invariant.QUEUE_DENSE, "no position any more: " + opened);
    }
    if (opened.first() > log.kept + 1) {
      findings.add(Invariant.QUEUE_DENSE, "%s, and %d was kept".formatted(opened, log.kept));
    }
    log.next = opened.reset() ? opened.first() : opened.after() + 1;
  }

  private void came(Entry.EnvelopeCame came) {
    Log log = log(came.registration(), came.epoch());
    if (came.queueSeq() != log.next) {
      findings.add(
          Invariant.QUEUE_DENSE, "%d was to come, and there came %s".formatted(log.next, came));
    }
    log.next = came.queueSeq() + 1;
    Entry.EnvelopeCame before = log.came.get(came.queueSeq());
    if (came.isGone()) {
      log.came.putIfAbsent(came.queueSeq(), came);
      return;
    }
    log.came.put(came.queueSeq(), came);
    if (before != null && !isSame(before, came)) {
      findings.add(Invariant.ENVELOPES_ONCE, "%s, but before %s".formatted(came, before));
    }
    Long other =
        log.numbers.putIfAbsent(new Sends.Key(came.sender(), came.clientId()), came.queueSeq());
    if (other != null && other != came.queueSeq()) {
      findings.add(Invariant.ENVELOPES_ONCE, "%s came as %d too".formatted(came, other));
    }
  }

  private static boolean isSame(Entry.EnvelopeCame a, Entry.EnvelopeCame b) {
    return a.room().equals(b.room())
        && a.seq() == b.seq()
        && a.sender().equals(b.sender())
        && a.clientId().equals(b.clientId())
        && a.brings().equals(b.brings())
        && a.payloadHash().equals(b.payloadHash());
  }

  void forEach(BiConsumer<Id, Log> action) {
    logs.forEach(action);
  }

  /// Of a queue that nobody opened an empty one.
  Log of(long registration, long epoch) {
    return logs.getOrDefault(new Id(registration, epoch), new Log());
  }

  /// All devices that there were, by registration.
  Map<Long, Owner> owners() {
    return owners;
  }

  String account(long registration) {
    Owner owner = owners.get(registration);
    return owner == null ? "" : owner.account();
  }

  /// When somebody was about to remove it, or never.
  long end(long registration) {
    return ends.getOrDefault(registration, Long.MAX_VALUE);
  }

  boolean hasEnd(long registration) {
    return ends.containsKey(registration);
  }
}
