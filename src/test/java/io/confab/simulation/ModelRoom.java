package io.confab.simulation;

import io.confab.feed.Event;
import io.confab.feed.Visibility;
import io.confab.feed.Visibility.Span;
import io.confab.ledger.Entry;
import io.confab.ledger.Stored;
import io.confab.message.Draft;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames.Stamp;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeDraft;
import io.confab.testing.StoredChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows of one room: counters, messages, changes, spans of membership. Each method is what one
/// transaction does under the lock of the room.
final class ModelRoom {
  final RoomId id;
  final HistoryRule history;
  final boolean sealed;
  Epoch epoch;

  /// Messages that the server cannot read; a sealed room has no others.
  private long sealedMessages;

  /// Sends to queues, silent ones too.
  private long envelopes;

  private final List<Message> messages = new ArrayList<>();
  private final List<Row> log = new ArrayList<>();
  private final Map<AccountId, List<Span>> spans = new LinkedHashMap<>();

  /// One rev.
  private sealed interface Row {
    record Said(Seq seq) implements Row {}

    record Sealed(Stamp stamp, Seq seq, ClientId clientId) implements Row {}

    record Edited(Stamp stamp, Seq seq) implements Row {}

    record Deleted(Stamp stamp, Seq seq) implements Row {}

    record Changed(Stamp stamp, StoredChange change) implements Row {}
  }

  ModelRoom(RoomId id, HistoryRule history, boolean sealed, Epoch epoch) {
    this.id = id;
    this.history = history;
    this.sealed = sealed;
    this.epoch = epoch;
  }

  /// A copy, which goes its own way from now on.
  ModelRoom(ModelRoom of) {
    this(of.id, of.history, of.sealed, of.epoch);
    sealedMessages = of.sealedMessages;
    envelopes = of.envelopes;
    messages.addAll(of.messages);
    log.addAll(of.log);
    of.spans.forEach((account, its) -> spans.put(account, new ArrayList<>(its)));
  }

  /// What this one has and a copy of it lacks.
  List<Entry.CommitLost> lostIn(ModelRoom copy, long now) {
    List<Entry.CommitLost> lost = new ArrayList<>();
    for (long rev = copy.rev().value() + 1; rev <= log.size(); rev++) {
      Row row = log.get((int) rev - 1);
      Stored said = said(row).orElse(null);
      lost.add(
          new Entry.CommitLost(
              now,
              id.toString(),
              epoch.value(),
              about(row).value(),
              rev,
              said == null ? "" : said.sender(),
              said == null ? "" : said.clientId()));
    }
    return lost;
  }

  /// All that was said, in its present state.
  List<Stored> stored() {
    return log.stream().flatMap(row -> said(row).stream()).toList();
  }

  private Optional<Stored> said(Row row) {
    return switch (row) {
      case Row.Said(Seq seq) -> Optional.of(stored(messages.get((int) seq.value() - 1)));
      case Row.Sealed(Stamp stamp, Seq seq, ClientId clientId) ->
          Optional.of(
              new Stored(
                  id.toString(),
                  epoch.value(),
                  seq.value(),
                  stamp.rev().value(),
                  stamp.actorId().toString(),
                  clientId.value(),
                  ""));
      case Row.Edited _, Row.Deleted _, Row.Changed _ -> Optional.empty();
    };
  }

  private Stored stored(Message message) {
    String body = message.body();
    return new Stored(
        id.toString(),
        epoch.value(),
        message.seq().value(),
        message.rev().value(),
        message.senderId().toString(),
        message.clientId().value(),
        body == null ? "" : body);
  }

  private static Seq about(Row row) {
    return switch (row) {
      case Row.Said(Seq seq) -> seq;
      case Row.Sealed(_, Seq seq, _) -> seq;
      case Row.Edited(_, Seq seq) -> seq;
      case Row.Deleted(_, Seq seq) -> seq;
      case Row.Changed _ -> Seq.ZERO;
    };
  }

  Rev rev() {
    return new Rev(log.size());
  }

  Seq seq() {
    return new Seq(messages.size() + sealedMessages);
  }

  List<Message> messages() {
    return messages;
  }

  @Nullable Message message(Seq seq) {
    return seq.value() < 1 || seq.value() > messages.size()
        ? null
        : messages.get((int) seq.value() - 1);
  }

  boolean isMember(AccountId account) {
    return current(account) != null;
  }

  private @Nullable Span current(AccountId account) {
    List<Span> mine = spans.getOrDefault(account, List.of());
    return mine.isEmpty() || mine.getLast().to() != null ? null : mine.getLast();
  }

  long changes(AccountId account) {
    return spans.getOrDefault(account, List.of()).stream()
        .mapToLong(span -> span.to() == null ? 1 : 2)
        .sum();
  }

  boolean seesAll(AccountId account) {
    Span span = current(account);
    return span != null && span.seenFrom().value() == 1;
  }

  Visibility visibility(AccountId account) {
    return new Visibility(List.copyOf(spans.getOrDefault(account, List.of())));
  }

  boolean wasMember(AccountId account) {
    return spans.containsKey(account);
  }

  /// Whether a membership covers this rev or begins after it.
  boolean mayHear(AccountId account, Rev rev) {
    return spans.getOrDefault(account, List.of()).stream()
        .anyMatch(span -> span.to() == null || span.to().isAfter(rev));
  }

  Message append(Draft draft, long ts) {
    Message message =
        new Message(
            id,
            new Seq(seq().value() + 1),
            rev().next(),
            null,
            draft.senderId(),
            draft.clientId(),
            draft.type(),
            draft.body(),
            null,
            null,
            null,
            ts,
            null,
            null,
            null);
    messages.add(message);
    log.add(new Row.Said(message.seq()));
    return message;
  }

  /// Numbers a message that goes into queues.
  Event seal(EnvelopeDraft draft, long ts) {
    sealedMessages++;
    log.add(new Row.Sealed(stamp(draft.sender().account(), ts), seq(), draft.clientId()));
    return event(rev());
  }

  /// The next number among the sends to queues.
  long countSend() {
    return ++envelopes;
  }

  List<AccountId> members() {
    return spans.keySet().stream().filter(this::isMember).toList();
  }

  Message edit(Message old, String body, long ts) {
    Stamp stamp = stamp(old.senderId(), ts);
    Message now =
        new Message(
            id,
            old.seq(),
            old.rev(),
            stamp.rev(),
            old.senderId(),
            old.clientId(),
            old.type(),
            body,
            null,
            null,
            null,
            old.ts(),
            ts,
            null,
            null);
    messages.set((int) old.seq().value() - 1, now);
    log.add(new Row.Edited(stamp, old.seq()));
    return now;
  }

  Message delete(Message old, long ts) {
    Stamp stamp = stamp(old.senderId(), ts);
    Message now =
        new Message(
            id,
            old.seq(),
            old.rev(),
            stamp.rev(),
            old.senderId(),
            old.clientId(),
            old.type(),
            null,
            null,
            null,
            null,
            old.ts(),
            old.editedAt(),
            ts,
            old.senderId());
    messages.set((int) old.seq().value() - 1, now);
    log.add(new Row.Deleted(stamp, old.seq()));
    return now;
  }

  /// The event, or null for one who is a member already.
  @Nullable Event join(AccountId account, long ts) {
    if (isMember(account)) {
      return null;
    }
    boolean all = history == HistoryRule.ALL || log.isEmpty();
    Stamp stamp = stamp(account, ts);
    spans
        .computeIfAbsent(account, _ -> new ArrayList<>())
        .add(new Span(stamp.rev(), null, all ? new Seq(1) : new Seq(seq().value() + 1), null));
    log.add(new Row.Changed(stamp, StoredChange.joined(account)));
    return event(rev());
  }

  /// The event, or null for one who is no member.
  @Nullable Event leave(AccountId account, LeaveReason reason, long ts) {
    Span span = current(account);
    if (span == null) {
      return null;
    }
    Stamp stamp = stamp(account, ts);
    List<Span> mine = spans.getOrDefault(account, List.of());
    mine.set(mine.size() - 1, new Span(span.from(), stamp.rev(), span.seenFrom(), seq()));
    log.add(new Row.Changed(stamp, StoredChange.left(account, reason)));
    return event(rev());
  }

  private Stamp stamp(AccountId actor, long ts) {
    return new Stamp(id, rev().next(), epoch, actor, ts);
  }

  /// Messages come in their present state, as the real store tells them.
  Event event(Rev rev) {
    return switch (log.get((int) rev.value() - 1)) {
      case Row.Said(Seq seq) -> Event.of(messages.get((int) seq.value() - 1), epoch);
      case Row.Sealed(Stamp stamp, Seq seq, _) -> Event.sealed(ofNow(stamp), seq);
      case Row.Edited(Stamp stamp, Seq seq) ->
          Event.of(
              ofNow(stamp),
              new RoomChange.MessageEdited(messages.get((int) seq.value() - 1), true));
      case Row.Deleted(Stamp stamp, Seq seq) ->
          Event.of(ofNow(stamp), new RoomChange.MessageDeleted(seq, stamp.actorId()));
      case Row.Changed(Stamp stamp, StoredChange change) -> change.event(ofNow(stamp));
    };
  }

  /// All is told in the epoch in which it is read.
  private Stamp ofNow(Stamp stamp) {
    return new Stamp(stamp.roomId(), stamp.rev(), epoch, stamp.actorId(), stamp.ts());
  }

  List<Event> events(Rev after, int limit) {
    List<Event> events = new ArrayList<>();
    for (long r = after.value() + 1; r <= log.size() && events.size() < limit; r++) {
      events.add(event(new Rev(r)));
    }
    return events;
  }

  Room view(AccountId account) {
    return new Room(
        id,
        RoomType.GROUP,
        "r",
        null,
        null,
        isMember(account) ? Role.MEMBER : null,
        history,
        null,
        null,
        null,
        null,
        1,
        true,
        null,
        epoch,
        seq(),
        rev());
  }
}
