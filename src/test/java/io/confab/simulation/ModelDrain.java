package io.confab.simulation;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueCommand;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueCommand.Waiting;
import io.confab.queue.SimulatedQueues.Arrived;
import io.confab.queue.SimulatedQueues.Claimed;
import io.confab.queue.SimulatedQueues.Part;
import io.confab.queue.SimulatedQueues.Place;
import io.confab.queue.SimulatedQueues.Stored;
import io.confab.queue.SimulatedQueues.ToWake;
import io.confab.queue.SimulatedQueues.UpTo;
import io.confab.simulation.ModelQueues.Envelope;
import io.confab.simulation.ModelQueues.Payload;
import io.confab.simulation.ModelQueues.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// How devices open, read and empty their queues, and are woken; each method is one statement or
/// one transaction.
final class ModelDrain {
  private static final long ONE_TIME_KEYS = 50;

  /// For how long a claim is good, in milliseconds: less than in truth, as histories are short.
  private static final long CLAIMED = 2_000;

  /// Few, so that a queue has several pages.
  private static final int PAGE = Math.min(QueueCommand.PAGE, 7);

  private final ModelDatabase database;
  private final QueueJournal journal;

  ModelDrain(ModelDatabase database, QueueJournal journal) {
    this.database = database;
    this.journal = journal;
  }

  Map<Caller, Opened> open(List<Caller> devices) {
    Map<Caller, Opened> opened = new LinkedHashMap<>();
    for (Caller device : devices) {
      RegistrationId id = database.queues().registration(device);
      Queue queue = id == null ? null : database.queues().queue(id);
      if (queue != null) {
        opened.put(
            device,
            new Opened(
                database.epoch(),
                queue.id,
                new QueueSeq(queue.gone),
                new QueueSeq(queue.last),
                ONE_TIME_KEYS,
                false,
                List.of()));
      }
    }
    return opened;
  }

  Map<Place, Part> read(List<Place> places) {
    Map<Place, Part> parts = new LinkedHashMap<>();
    for (Place place : places) {
      Queue queue = database.queues().queue(place.registration());
      if (queue != null) {
        parts.put(place, read(queue, place.after().value()));
      }
    }
    return parts;
  }

  /// It ends before what is due and was not ended yet.
  private Part read(Queue queue, long after) {
    List<Waiting> page = new ArrayList<>();
    boolean stops = false;
    for (Map.Entry<Long, Envelope> next : queue.waiting.tailMap(after, false).entrySet()) {
      Payload payload = next.getValue().payload();
      stops = payload != null && payload.due() <= database.millis();
      if (stops || page.size() == PAGE) {
        break;
      }
      page.add(waiting(new QueueSeq(next.getKey()), next.getValue(), payload));
    }
    return new Part(
        new QueuePage(database.epoch(), new QueueSeq(queue.gone), new QueueSeq(queue.last), page),
        stops);
  }

  private Waiting waiting(QueueSeq seq, Envelope envelope, @Nullable Payload payload) {
    return payload == null
        ? new Waiting(seq, EnvelopeFrames.gone(seq, database.epoch()), Waiting.nothing())
        : new Waiting(
            seq,
            EnvelopeFrames.head(seq, envelope.body()),
            EnvelopeFrames.tail(ModelEnvelopes.frame(payload), database.epoch()));
  }

  /// @param busy queues that somebody else has locked
  Stored ack(Map<RegistrationId, UpTo> acks, Set<RegistrationId> busy) {
    Epoch epoch = database.epoch();
    Map<RegistrationId, QueueSeq> gone = new HashMap<>();
    Set<Arrived> arrived = new LinkedHashSet<>();
    Set<RegistrationId> locked = new LinkedHashSet<>();
    acks.forEach(
        (id, upTo) -> {
          Queue queue = database.queues().queue(id);
          if (queue == null) {
            return;
          }
          if (busy.contains(id)) {
            locked.add(id);
            return;
          }
          if (upTo.epoch().equals(epoch)) {
            arrived.addAll(ack(queue, Math.min(upTo.seq().value(), queue.last)));
          }
          gone.put(id, new QueueSeq(queue.gone));
        });
    return new Stored(epoch, gone, locked, arrived);
  }

  private List<Arrived> ack(Queue queue, long upTo) {
    if (upTo <= queue.gone) {
      return List.of();
    }
    journal.emptied(database.epoch(), queue, upTo, database.millis());
    AccountId account = queue.owner.account();
    Map<RoomId, TreeSet<Long>> rooms = new TreeMap<>();
    for (Payload payload : queue.remove(upTo, database.millis())) {
      RoomId room = payload.room();
      if (room != null && payload.seq() > 0 && !payload.sender().account().equals(account)) {
        rooms.computeIfAbsent(room, _ -> new TreeSet<>()).add(payload.seq());
        database.queues().delivered(payload.at(account));
        journal.delivered(payload.at(account));
      }
    }
    if (upTo >= queue.loud) {
      queue.wokenUntil = Queue.NOT_WOKEN;
    }
    queue.waitsSince = database.millis();
    List<Arrived> runs = new ArrayList<>();
    rooms.forEach((room, seqs) -> runs.addAll(runs(account, room, seqs)));
    return runs;
  }

  private static List<Arrived> runs(AccountId account, RoomId room, Collection<Long> seqs) {
    List<Arrived> runs = new ArrayList<>();
    for (long seq : seqs) {
      Seq before = runs.isEmpty() ? Seq.ZERO : runs.getLast().to();
      boolean goesOn = !runs.isEmpty() && before.value() + 1 == seq;
      Seq from = goesOn ? runs.removeLast().from() : new Seq(seq);
      runs.add(new Arrived(account, room, from, new Seq(seq)));
    }
    return runs;
  }

  /// Whether the device has such an envelope.
  boolean reject(RejectEnvelope command) {
    if (!command.epoch().equals(database.epoch())) {
      throw Refusal.unavailable("the number is of another epoch");
    }
    boolean rejected = database.queues().reject(command.registration(), command.seq().value());
    if (rejected) {
      journal.emptied(database.epoch(), command.registration(), command.seq().value());
    }
    return rejected;
  }

  void expire() {
    database.queues().expire(database.millis());
    journal.expired(database.millis());
  }

  /// @param woken what was claimed before, and is done
  /// @param busy queues that somebody else has locked
  Claimed claim(
      Set<RegistrationId> waiting, List<ToWake> woken, Duration after, Set<RegistrationId> busy) {
    List<ToWake> due = new ArrayList<>();
    Map<RegistrationId, Duration> later = new LinkedHashMap<>();
    for (ToWake done : woken) {
      Queue queue = database.queues().queue(done.registration());
      if (queue != null && busy.contains(queue.id) && queue.isLoud()) {
        later.put(queue.id, Duration.ZERO);
      } else if (queue != null && queue.wokenUntil == done.until()) {
        queue.wokenUntil = Queue.WOKEN;
      }
    }
    for (RegistrationId id : waiting) {
      Queue queue = database.queues().queue(id);
      if (queue == null || !queue.isLoud() || queue.wokenUntil == Queue.WOKEN) {
        continue;
      }
      long from = Math.max(queue.wokenUntil, queue.waitsSince + after.toMillis());
      if (busy.contains(id)) {
        later.put(id, Duration.ZERO);
      } else if (from > database.millis()) {
        later.put(id, Duration.ofMillis(from - database.millis()));
      } else {
        due.add(claim(queue));
      }
    }
    return new Claimed(due, later);
  }

  private ToWake claim(Queue queue) {
    if (queue.wokenUntil != Queue.NOT_WOKEN) {
      journal.claimLost(database.epoch(), queue);
    }
    queue.wokenUntil = database.millis() + CLAIMED;
    journal.claimed(database.epoch(), queue);
    return new ToWake(queue.id, queue.owner, queue.wokenUntil);
  }

  /// Those that have waited for so long, and nobody was woken.
  List<RegistrationId> forgotten(long waited) {
    long now = database.millis();
    return database.queues().all().stream()
        .filter(q -> q.isLoud() && q.wokenUntil <= now && q.waitsSince <= now - waited)
        .map(q -> q.id)
        .toList();
  }

  /// From whom each is to be hidden; those that nobody is told are left out.
  static Map<Arrived, Set<AccountId>> audience(List<Arrived> runs) {
    Map<Arrived, Set<AccountId>> found = new LinkedHashMap<>();
    for (Arrived run : runs) {
      if (!HiddenPresence.fromAll(run.account())) {
        found.put(run, HiddenPresence.from(run.account()));
      }
    }
    return found;
  }
}
