package io.confab.simulation;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.feed.EventCommand.RoomVisibility;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.SimulatedDigests;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.message.SimulatedWriter.ChangeVerdict;
import io.confab.message.SimulatedWriter.Verdict;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Marks;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.RoomView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What is committed, and what transactions and reads do with it, each in one moment: the locks of
/// rooms make it so. How calls reach it, and whether they do, is not its matter.
final class ModelDatabase {
  private Epoch epoch = new Epoch(1);
  private Map<RoomId, ModelRoom> rooms = new LinkedHashMap<>();
  private Map<Key, Use> keys = new HashMap<>();

  /// The rooms of epochs that are over, as they were at the end.
  private final Map<Epoch, Map<RoomId, ModelRoom>> former = new HashMap<>();
  private final LongSupplier millis;
  final SimulatedDigests.LoneNodes lone = new SimulatedDigests.LoneNodes();
  boolean up = true;

  /// Whose locks somebody holds.
  final Set<RoomId> locked = new HashSet<>();

  record Key(AccountId sender, ClientId clientId) {}

  /// What a key was used for.
  record Use(RoomId room, String content, Seq seq, Rev rev, long ts) {}

  private final ModelEnvelopes envelopes;
  private final ModelDrain drain;
  private ModelQueues queues;

  /// @param limits of queues
  ModelDatabase(LongSupplier millis, Config.Queues limits, QueueJournal journal) {
    this.millis = millis;
    this.queues = new ModelQueues(journal);
    this.envelopes = new ModelEnvelopes(this, limits, journal);
    this.drain = new ModelDrain(this, journal);
  }

  /// A standby or a backup: all as it is now.
  record Copy(Map<RoomId, ModelRoom> rooms, Map<Key, Use> keys, ModelQueues queues) {}

  Copy copy() {
    Map<RoomId, ModelRoom> copies = new LinkedHashMap<>();
    rooms.forEach((id, room) -> copies.put(id, new ModelRoom(room)));
    return new Copy(copies, new HashMap<>(keys), new ModelQueues(queues));
  }

  /// The copy takes the place of all, in an epoch of its own. Answers the rooms as they were.
  List<ModelRoom> goBackTo(Copy copy) {
    List<ModelRoom> before = rooms();
    former.put(epoch, rooms);
    epoch = new Epoch(epoch.value() + 1);
    rooms = copy.rooms();
    keys = copy.keys();
    queues = copy.queues();
    rooms.values().forEach(room -> room.epoch = epoch);
    return before;
  }

  Epoch epoch() {
    return epoch;
  }

  long millis() {
    return millis.getAsLong();
  }

  ModelQueues queues() {
    return queues;
  }

  /// How sends are put into queues.
  ModelEnvelopes envelopes() {
    return envelopes;
  }

  /// How devices empty their queues.
  ModelDrain drain() {
    return drain;
  }

  @Nullable Use use(Key key) {
    return keys.get(key);
  }

  void keep(Key key, Use use) {
    keys.put(key, use);
  }

  /// A room as it was, or is, under an epoch.
  ModelRoom room(Epoch under, RoomId room) {
    ModelRoom found = former.getOrDefault(under, rooms).get(room);
    if (found == null) {
      throw new IllegalStateException("no such room: " + room);
    }
    return found;
  }

  void add(ModelRoom room) {
    rooms.put(room.id, room);
  }

  List<ModelRoom> rooms() {
    return List.copyOf(rooms.values());
  }

  ModelRoom room(RoomId room) {
    ModelRoom found = rooms.get(room);
    if (found == null) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    return found;
  }

  List<Verdict> append(List<Draft> group) {
    return group.stream().map(this::append).toList();
  }

  private Verdict append(Draft draft) {
    ModelRoom room = room(draft.roomId());
    Key key = new Key(draft.senderId(), draft.clientId());
    Use use = keys.get(key);
    if (use != null) {
      boolean same = use.room().equals(draft.roomId()) && use.content().equals(draft.body());
      return same
          ? new Verdict("duplicate", use.seq().value(), use.rev().value(), use.ts())
          : new Verdict("mismatch", 0, 0, 0);
    }
    if (!room.isMember(draft.senderId())) {
      return new Verdict("not_found", 0, 0, 0);
    }
    if (room.sealed) {
      return new Verdict("encrypted", 0, 0, 0);
    }
    Message stored = room.append(draft, millis.getAsLong());
    keys.put(key, new Use(room.id, draft.body(), stored.seq(), stored.rev(), stored.ts()));
    return new Verdict("stored", stored.seq().value(), stored.rev().value(), stored.ts());
  }

  List<ChangeVerdict> change(List<MessageChange> run) {
    return run.stream().map(this::change).toList();
  }

  private ChangeVerdict change(MessageChange change) {
    ModelRoom room = room(change.roomId());
    Message old = room.message(change.seq());
    if (old == null) {
      return new ChangeVerdict("no_message", 0, 0, null);
    }
    return switch (change) {
      case Edit edit -> edit(room, old, edit);
      case Deletion deletion -> delete(room, old, deletion);
    };
  }

  private ChangeVerdict edit(ModelRoom room, Message old, Edit edit) {
    Key key = new Key(edit.caller(), edit.clientId());
    Use use = keys.get(key);
    if (use != null) {
      return use.content().equals("edit " + edit.body())
          ? new ChangeVerdict("known", use.rev().value(), use.ts(), old)
          : new ChangeVerdict("mismatch", 0, 0, null);
    }
    if (!room.isMember(edit.caller())) {
      return new ChangeVerdict("not_found", 0, 0, null);
    }
    if (!old.senderId().equals(edit.caller())) {
      return new ChangeVerdict("not_yours", 0, 0, null);
    }
    if (old.deletedAt() != null) {
      return new ChangeVerdict("gone", 0, 0, null);
    }
    long ts = millis.getAsLong();
    Message now = room.edit(old, edit.body(), ts);
    keys.put(key, new Use(room.id, "edit " + edit.body(), now.seq(), room.rev(), ts));
    return new ChangeVerdict("made", room.rev().value(), ts, now);
  }

  private ChangeVerdict delete(ModelRoom room, Message old, Deletion deletion) {
    if (!room.isMember(deletion.caller())) {
      return new ChangeVerdict("not_found", 0, 0, null);
    }
    if (!old.senderId().equals(deletion.caller())) {
      return new ChangeVerdict("not_yours", 0, 0, null);
    }
    Rev changed = old.changedRev();
    Long at = old.deletedAt();
    if (at != null && changed != null) {
      return new ChangeVerdict("known", changed.value(), at, old);
    }
    long ts = millis.getAsLong();
    Message now = room.delete(old, ts);
    return new ChangeVerdict("made", room.rev().value(), ts, now);
  }

  List<Event> find(List<Draft> group) {
    List<Event> found = new ArrayList<>();
    for (Draft draft : group) {
      Use use = keys.get(new Key(draft.senderId(), draft.clientId()));
      if (use != null && use.room().equals(draft.roomId()) && use.content().equals(draft.body())) {
        found.add(room(draft.roomId()).event(use.rev()));
      }
    }
    return found;
  }

  List<Event> findChanges(List<MessageChange> run) {
    return run.stream().flatMap(change -> find(change).stream()).toList();
  }

  private List<Event> find(MessageChange change) {
    ModelRoom room = room(change.roomId());
    Rev rev =
        switch (change) {
          case Edit edit -> {
            Use use = keys.get(new Key(edit.caller(), edit.clientId()));
            yield use == null ? null : use.rev();
          }
          case Deletion deletion -> deletedAt(room, deletion);
        };
    return rev == null ? List.of() : List.of(room.event(rev));
  }

  private static @Nullable Rev deletedAt(ModelRoom room, Deletion deletion) {
    Message message = room.message(deletion.seq());
    return message == null || message.deletedAt() == null ? null : message.changedRev();
  }

  EventPage events(RoomId room, Rev after, int limit) {
    ModelRoom found = room(room);
    return new EventPage(room, epoch, found.events(after, limit), found.rev());
  }

  Positions positions(List<RoomId> asked) {
    return new Positions(
        epoch,
        asked.stream()
            .filter(rooms::containsKey)
            .map(id -> new RoomPosition(id, room(id).seq(), room(id).rev()))
            .toList());
  }

  Visibilities visibilities(AccountId account, List<RoomId> asked) {
    return new Visibilities(
        asked.stream()
            .filter(id -> room(id).wasMember(account))
            .map(id -> new RoomVisibility(id, room(id).visibility(account)))
            .toList());
  }

  Memberships memberships(AccountId account) {
    return new Memberships(
        epoch,
        rooms.values().stream()
            .filter(room -> room.isMember(account))
            .map(
                r ->
                    new Membership(
                        r.id,
                        r.seq(),
                        r.rev(),
                        r.seesAll(account),
                        true,
                        Marks.at(r.seq()),
                        false,
                        false))
            .toList(),
        false);
  }

  /// How many memberships of the account began or ended.
  long changes(AccountId account) {
    return rooms.values().stream().mapToLong(room -> room.changes(account)).sum();
  }

  RoomView view(AccountId account, RoomId room) {
    return new RoomView(memberOf(room, account).view(account), new EntityTag("t"));
  }

  private ModelRoom memberOf(RoomId room, AccountId account) {
    ModelRoom found = room(room);
    if (!found.isMember(account)) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    return found;
  }

  HistoryPage history(ReadHistory read) {
    ModelRoom room = memberOf(read.roomId(), read.caller());
    List<Message> seen =
        room.messages().stream()
            .filter(m -> room.visibility(read.caller()).shows(Event.of(m, epoch)))
            .toList();
    int from = Math.max(0, seen.size() - read.limit());
    return new HistoryPage(
        List.copyOf(seen.subList(from, seen.size())),
        from > 0,
        false,
        epoch,
        room.seq(),
        room.rev());
  }

  LogPage log(ReadLog read) {
    ModelRoom room = memberOf(read.room(), read.caller());
    if (!read.epoch().equals(epoch) || read.after().isAfter(room.rev())) {
      return new LogPage(epoch, false, List.of(), room.rev(), false);
    }
    List<Event> events = room.events(read.after(), read.limit());
    Rev last = events.isEmpty() ? read.after() : events.getLast().rev();
    return new LogPage(
        epoch,
        true,
        events.stream()
            .map(e -> room.visibility(read.caller()).shows(e) ? e.frame() : e.hiddenFrame())
            .toList(),
        room.rev(),
        room.rev().isAfter(last));
  }
}
