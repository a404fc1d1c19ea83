package io.confab.simulation;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.FailureReason;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of queues: devices with keys, what waits for them, and what became of messages.
final class ModelQueues {
  private final QueueJournal journal;
  private long registrations;
  private long payloads;
  private final Map<Caller, RegistrationId> keys = new LinkedHashMap<>();
  private final TreeMap<RegistrationId, Queue> queues = new TreeMap<>();
  private final Set<Receipt> delivered = new HashSet<>();
  private final Map<Receipt, Failure> failures = new LinkedHashMap<>();

  /// A message at one account.
  record Receipt(RoomId room, long seq, AccountId account) {}

  /// @param told whether somebody has taken it, to tell its sender
  record Failure(AccountId sender, FailureReason reason, boolean told) {}

  /// What the queues of a send share.
  ///
  /// @param room null: it has none
  /// @param seq 0: it is silent
  /// @param due when its time is over, in milliseconds
  record Payload(
      long id,
      @Nullable RoomId room,
      long seq,
      Caller sender,
      ClientId clientId,
      long ts,
      long due,
      @Nullable String content) {
    Receipt at(AccountId account) {
      if (room == null) {
        throw new IllegalStateException("it has no room");
      }
      return new Receipt(room, seq, account);
    }
  }

  /// @param payload null: its time is over
  record Envelope(@Nullable Payload payload, @Nullable String body) {
    static final Envelope EMPTY = new Envelope(null, null);
  }

  /// One row of a queue, with what waits there.
  static final class Queue {
    static final long NOT_WOKEN = Long.MIN_VALUE;
    static final long WOKEN = Long.MAX_VALUE;

    final RegistrationId id;
    final Caller owner;
    final TreeMap<Long, Envelope> waiting = new TreeMap<>();
    long last;
    long gone;

    /// The last one that is worth waking for.
    long loud;

    long wokenUntil = NOT_WOKEN;
    long waitsSince;

    /// Rises whenever nothing waits any more that is worth waking for.
    long period;

    /// When the first one of this period came, or the device came for a part.
    long loudSince;

    Queue(RegistrationId id, Caller owner) {
      this.id = id;
      this.owner = owner;
    }

    Queue(Queue of) {
      this(of.id, of.owner);
      waiting.putAll(of.waiting);
      last = of.last;
      gone = of.gone;
      loud = of.loud;
      wokenUntil = of.wokenUntil;
      waitsSince = of.waitsSince;
      period = of.period;
      loudSince = of.loudSince;
    }

    /// Whether something waits that is worth waking for.
    boolean isLoud() {
      return gone < loud;
    }

    boolean holds(Payload payload) {
      return waiting.values().stream().anyMatch(e -> payload.equals(e.payload()));
    }

    /// Takes out all up to a number.
    List<Payload> remove(long upTo, long now) {
      List<Payload> removed = new ArrayList<>();
      Map<Long, Envelope> head = waiting.headMap(upTo, true);
      head.values().stream().map(Envelope::payload).forEach(p -> addIfThere(removed, p));
      head.clear();
      if (gone < loud && upTo >= loud) {
        period++;
      } else {
        loudSince = now;
      }
      gone = upTo;
      return removed;
    }

    private static void addIfThere(List<Payload> to, @Nullable Payload payload) {
      if (payload != null) {
        to.add(payload);
      }
    }
  }

  ModelQueues(QueueJournal journal) {
    this.journal = journal;
  }

  /// A copy, which goes its own way from now on.
  ModelQueues(ModelQueues of) {
    journal = of.journal;
    registrations = of.registrations;
    payloads = of.payloads;
    keys.putAll(of.keys);
    of.queues.forEach((id, queue) -> queues.put(id, new Queue(queue)));
    delivered.addAll(of.delivered);
    failures.putAll(of.failures);
  }

  long nextPayload() {
    return ++payloads;
  }

  /// The device uploads keys, unless it has some. As in `next_registration`, each epoch has its
  /// own numbers.
  RegistrationId register(Caller device, Epoch epoch) {
    return keys.computeIfAbsent(
        device,
        _ -> {
          RegistrationId id = new RegistrationId((epoch.value() << 20) + ++registrations);
          queues.put(id, new Queue(id, device));
          return id;
        });
  }

  @Nullable RegistrationId registration(Caller device) {
    return keys.get(device);
  }

  @Nullable Queue queue(RegistrationId id) {
    return queues.get(id);
  }

  Collection<Queue> all() {
    return queues.values();
  }

  /// Those of a room, in their order.
  List<Queue> of(ModelRoom room) {
    List<AccountId> members = room.members();
    return queues.values().stream().filter(q -> members.contains(q.owner.account())).toList();
  }

  private Stream<Queue> of(AccountId account) {
    return queues.values().stream().filter(q -> q.owner.account().equals(account));
  }

  boolean isDelivered(Receipt receipt) {
    return delivered.contains(receipt);
  }

  void delivered(Receipt receipt) {
    delivered.add(receipt);
  }

  /// No device of the account has it left or has acknowledged it: then it does not arrive.
  void fail(Payload payload, AccountId account, FailureReason reason) {
    if (payload.room() != null
        && payload.seq() > 0
        && !payload.sender().account().equals(account)
        && of(account).noneMatch(q -> q.holds(payload))
        && !isDelivered(payload.at(account))) {
      journal.failed(payload.at(account));
      failures.putIfAbsent(
          payload.at(account), new Failure(payload.sender().account(), reason, false));
    }
  }

  Map<Receipt, Failure> failures() {
    return failures;
  }

  /// Those that nobody has taken; they are taken by this.
  Map<Receipt, Failure> takeFailures() {
    Map<Receipt, Failure> taken = new LinkedHashMap<>();
    failures.forEach(
        (receipt, failure) -> {
          if (!failure.told()) {
            taken.put(receipt, failure);
          }
        });
    taken.forEach((receipt, f) -> failures.put(receipt, new Failure(f.sender(), f.reason(), true)));
    return taken;
  }

  /// A device is removed, with its keys and its queue.
  void end(Caller device) {
    RegistrationId id = keys.remove(device);
    Queue queue = id == null ? null : queues.remove(id);
    if (queue != null) {
      queue
          .remove(queue.last, 0)
          .forEach(payload -> fail(payload, device.account(), FailureReason.REMOVED));
    }
  }

  /// Ends what is due.
  void expire(long now) {
    Map<Payload, Set<AccountId>> over = new LinkedHashMap<>();
    for (Queue queue : queues.values()) {
      queue.waiting.replaceAll(
          (_, envelope) -> {
            Payload payload = envelope.payload();
            if (payload == null || payload.due() > now) {
              return envelope;
            }
            over.computeIfAbsent(payload, _ -> new LinkedHashSet<>()).add(queue.owner.account());
            return Envelope.EMPTY;
          });
    }
    over.forEach(
        (payload, accounts) ->
            accounts.forEach(account -> fail(payload, account, FailureReason.EXPIRED)));
  }

  /// The device cannot read what it got under a number.
  boolean reject(RegistrationId id, long seq) {
    Queue queue = queues.get(id);
    Envelope envelope = queue == null ? null : queue.waiting.get(seq);
    Payload payload = envelope == null ? null : envelope.payload();
    if (queue == null || payload == null) {
      return false;
    }
    queue.waiting.put(seq, Envelope.EMPTY);
    fail(payload, queue.owner.account(), FailureReason.UNDECRYPTABLE);
    return true;
  }
}
