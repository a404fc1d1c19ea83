package io.confab.simulation;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.FailureReason;
import io.confab.protocol.FullDevice;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.queue.EnvelopeSent;
import io.confab.queue.SimulatedQueues;
import io.confab.simulation.ModelDatabase.Use;
import io.confab.simulation.ModelQueues.Envelope;
import io.confab.simulation.ModelQueues.Payload;
import io.confab.simulation.ModelQueues.Queue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How sends are put into queues: under the locks of their room and of all its queues, so that
/// nothing happens between what is looked at and what is written.
final class ModelEnvelopes {
  private final ModelDatabase database;
  private final Config.Queues limits;
  private final QueueJournal journal;

  /// A send that may go, and where to.
  private record Going(EnvelopeDraft draft, @Nullable ModelRoom room, List<Queue> targets) {}

  ModelEnvelopes(ModelDatabase database, Config.Queues limits, QueueJournal journal) {
    this.database = database;
    this.limits = limits;
    this.journal = journal;
  }

  /// What a sender says of the devices of a room.
  static String digest(Collection<RegistrationId> devices) {
    String ids =
        devices.stream().sorted().map(RegistrationId::toString).collect(Collectors.joining(","));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(ids.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  List<EnvelopeOutcome> put(List<EnvelopeDraft> group) {
    return group.stream().map(this::put).toList();
  }

  /// The events of those that are stored and have a number of their room.
  List<Event> find(List<EnvelopeDraft> group) {
    List<Event> found = new ArrayList<>();
    for (EnvelopeDraft draft : group) {
      Use use = database.use(key(draft));
      if (use != null && use.content().equals(content(draft)) && use.seq().value() > 0) {
        found.add(database.room(use.room()).event(use.rev()));
      }
    }
    return found;
  }

  private static ModelDatabase.Key key(EnvelopeDraft draft) {
    return new ModelDatabase.Key(draft.sender().account(), draft.clientId());
  }

  private static String content(EnvelopeDraft draft) {
    String bodies =
        draft.bodies().stream().map(b -> b + "=" + b.body()).collect(Collectors.joining(","));
    return "sealed %s %s %s %s".formatted(draft.room(), draft.payload(), draft.silent(), bodies);
  }

  private static EnvelopeOutcome refused(String outcome) {
    return new EnvelopeOutcome.Refused(SimulatedQueues.refusal(outcome, List.of()));
  }

  private EnvelopeOutcome put(EnvelopeDraft draft) {
    RegistrationId own = database.queues().registration(draft.sender());
    if (own == null) {
      return refused("no_keys");
    }
    Use use = database.use(key(draft));
    if (use != null) {
      return use.content().equals(content(draft))
          ? new EnvelopeOutcome.Duplicate(sent(draft, use.seq(), use.ts(), true, null))
          : refused("mismatch");
    }
    RoomId id = draft.roomId();
    return id == null ? loose(draft, own) : put(draft, database.room(id), own);
  }

  private EnvelopeOutcome put(EnvelopeDraft draft, ModelRoom room, RegistrationId own) {
    if (!room.isMember(draft.sender().account())) {
      return refused("not_found");
    }
    List<Queue> there = database.queues().of(room);
    if (!digest(there.stream().map(q -> q.id).toList()).equals(draft.digest())) {
      return new EnvelopeOutcome.Refused(
          SimulatedQueues.refusal(
              "device_mismatch", there.stream().map(ModelEnvelopes::present).toList()));
    }
    List<Queue> others = there.stream().filter(q -> !q.id.equals(own)).toList();
    if (!draft.bodies().stream().allMatch(body -> isTarget(body, others))) {
      return refused("bad_target");
    }
    boolean forAll = draft.payload() != null || !draft.silent();
    List<Queue> targets = others.stream().filter(q -> forAll || body(draft, q) != null).toList();
    return store(new Going(draft, room, targets));
  }

  private EnvelopeOutcome loose(EnvelopeDraft draft, RegistrationId own) {
    List<Queue> targets = new ArrayList<>();
    for (KeyBody body : draft.bodies()) {
      Queue queue = database.queues().queue(body.registrationId());
      if (queue == null || !isTarget(body, List.of(queue))) {
        return refused("device_mismatch");
      }
      targets.add(queue);
    }
    if (targets.stream().anyMatch(queue -> queue.id.equals(own))) {
      return refused("bad_target");
    }
    return store(new Going(draft, null, targets));
  }

  private static PresentDevice present(Queue queue) {
    return new PresentDevice(queue.owner.account(), queue.owner.device(), queue.id);
  }

  private static boolean isTarget(KeyBody body, List<Queue> targets) {
    return targets.stream()
        .anyMatch(
            q ->
                q.id.equals(body.registrationId())
                    && q.owner.equals(new Caller(body.accountId(), body.deviceId())));
  }

  private static @Nullable String body(EnvelopeDraft draft, Queue of) {
    return draft.bodies().stream()
        .filter(body -> body.registrationId().equals(of.id))
        .map(KeyBody::body)
        .findFirst()
        .orElse(null);
  }

  private EnvelopeOutcome store(Going going) {
    EnvelopeDraft draft = going.draft();
    ModelRoom room = going.room();
    long ts = database.millis();
    Event event = room == null || draft.silent() ? null : room.seal(draft, ts);
    Seq seq = event == null || room == null ? Seq.ZERO : room.seq();
    Rev rev = event == null ? Rev.ZERO : event.rev();
    database.keep(key(draft), new Use(draft.room(), content(draft), seq, rev, ts));
    journal.stored(database.epoch(), draft, seq);
    Payload payload = payload(draft, seq, ts);
    long number = room == null ? 0 : room.countSend();
    List<Queue> full =
        going.targets().stream().filter(q -> q.last + 1 - q.gone > limits.depth()).toList();
    List<Queue> taking = going.targets().stream().filter(q -> !full.contains(q)).toList();
    full.stream()
        .filter(q -> taking.stream().noneMatch(t -> isSameAccount(q, t)))
        .forEach(q -> database.queues().fail(payload, q.owner.account(), FailureReason.FULL));
    Map<Queue, QueuedSend.Place> places = new LinkedHashMap<>();
    taking.forEach(queue -> places.put(queue, add(queue, payload, draft)));
    return new EnvelopeOutcome.Stored(
        sent(draft, seq, ts, false, full.isEmpty() ? null : full),
        event,
        queued(going, payload, number, places));
  }

  private static boolean isSameAccount(Queue one, Queue other) {
    return one.owner.account().equals(other.owner.account());
  }

  private Payload payload(EnvelopeDraft draft, Seq seq, long ts) {
    return new Payload(
        database.queues().nextPayload(),
        draft.roomId(),
        seq.value(),
        draft.sender(),
        draft.clientId(),
        ts,
        ts + limits.retention().toMillis(),
        draft.payload());
  }

  private QueuedSend.Place add(Queue queue, Payload payload, EnvelopeDraft draft) {
    String body = body(draft, queue);
    boolean first = !draft.silent() && queue.loud <= queue.gone;
    if (queue.last == queue.gone) {
      queue.waitsSince = payload.ts();
    }
    long seq = ++queue.last;
    queue.waiting.put(seq, new Envelope(payload, body));
    if (!draft.silent()) {
      queue.loud = seq;
      queue.loudSince = first ? payload.ts() : queue.loudSince;
    }
    journal.written(database.epoch(), queue, payload, body);
    return new QueuedSend.Place(queue.id, new QueueSeq(seq), first, body);
  }

  private static EnvelopeSent sent(
      EnvelopeDraft draft, Seq seq, long ts, boolean duplicate, @Nullable List<Queue> full) {
    return new EnvelopeSent(
        draft.roomId(),
        draft.clientId(),
        seq.value() == 0 ? null : seq,
        ts,
        duplicate,
        full == null
            ? null
            : full.stream().map(q -> new FullDevice(q.owner.account(), q.owner.device())).toList());
  }

  /// One that is for no device is told of too: it has a number.
  private List<QueuedSend> queued(
      Going going, Payload payload, long number, Map<Queue, QueuedSend.Place> places) {
    byte[] tail = places.isEmpty() ? new byte[0] : tail(payload);
    if (going.room() != null) {
      return List.of(
          new QueuedSend(
              going.room().id, null, database.epoch(), number, tail, List.copyOf(places.values())));
    }
    Set<AccountId> accounts = new LinkedHashSet<>();
    places.keySet().forEach(queue -> accounts.add(queue.owner.account()));
    return accounts.stream()
        .map(
            account ->
                new QueuedSend(
                    null,
                    account,
                    database.epoch(),
                    0,
                    tail,
                    places.entrySet().stream()
                        .filter(e -> e.getKey().owner.account().equals(account))
                        .map(e -> Objects.requireNonNull(e.getValue()))
                        .toList()))
        .toList();
  }

  private byte[] tail(Payload payload) {
    return EnvelopeFrames.tail(frame(payload), database.epoch());
  }

  /// As it goes out.
  static io.confab.protocol.Envelope frame(Payload payload) {
    return new io.confab.protocol.Envelope(
        payload.room(),
        payload.seq() == 0 ? null : new Seq(payload.seq()),
        payload.sender().account(),
        payload.sender().device(),
        payload.clientId(),
        payload.ts(),
        payload.content(),
        null);
  }
}
