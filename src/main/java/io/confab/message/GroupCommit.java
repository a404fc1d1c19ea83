package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.message.WriterQueue.Alone;
import io.confab.message.WriterQueue.Batch;
import io.confab.message.WriterQueue.Changing;
import io.confab.message.WriterQueue.Entry;
import io.confab.message.WriterQueue.Group;
import io.confab.message.WriterQueue.Sending;
import io.confab.postgres.FailureKind;
import io.confab.postgres.Outages;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores what a writer took from its queue, answers it after the commit, then announces it.
///
/// After a lost connection the outcome of what was in flight is unknown. Its
/// callers get `unavailable` at once; before anything else is stored it must be settled: it is
/// looked up, and what turns out to be stored is announced, because nobody else would.
final class GroupCommit {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  private final MessageLog log;
  private final Announcer announcer;
  private final Consumer<List<? extends Entry>> aside;
  private final Predicate<RoomId> isAside;
  private Optional<Supplier<Future<List<Event>>>> unsettled = Optional.empty();

  /// @param aside gets what waits for rooms that somebody else has locked
  /// @param isAside whether something waits there for a room
  GroupCommit(
      MessageLog log,
      Announcer announcer,
      Consumer<List<? extends Entry>> aside,
      Predicate<RoomId> isAside) {
    this.log = log;
    this.announcer = announcer;
    this.aside = aside;
    this.isAside = isAside;
  }

  boolean isSettled() {
    return unsettled.isEmpty();
  }

  /// Looks up what is not settled. The log is connected anew: the lost call has ended.
  Future<Void> settle() {
    return unsettled
        .map(Supplier::get)
        .orElse(Future.succeededFuture(List.of()))
        .map(
            found -> {
              unsettled = Optional.empty();
              announce(found);
              return null;
            });
  }

  /// Nobody will ask again.
  void giveUp() {
    unsettled = Optional.empty();
  }

  /// Done when everybody is answered; fails only by a bug.
  Future<Void> store(Batch batch) {
    return switch (batch) {
      case Group(var sends) -> store(sends);
      case Alone(var change) -> make(change);
    };
  }

  private Future<Void> make(Changing entry) {
    MessageChange change = entry.change();
    return log.change(change)
        .transform(
            (outcome, failure) ->
                failure == null ? answer(entry, outcome) : failed(entry, failure));
  }

  private Future<Void> answer(Changing entry, ChangeOutcome outcome) {
    switch (outcome) {
      case ChangeOutcome.Made made -> {
        entry.answer().complete(new Changed(made.rev(), made.message()));
        announcer.announce(
            made.event(entry.change(), log.epoch()), Event.of(made.message(), log.epoch()));
      }
      case ChangeOutcome.Known(var rev, var message) ->
          entry.answer().complete(new Changed(rev, message));
      case ChangeOutcome.Refused(var reason) -> entry.answer().fail(reason);
    }
    return Future.succeededFuture();
  }

  private Future<Void> failed(Changing entry, Throwable failure) {
    switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of a change is unknown: {}", failure.toString());
        unsettled = Optional.of(() -> log.find(entry.change()));
        entry.refuse("the outcome is unknown, try again");
      }
      case BUSY -> {
        if (FailureKind.isLocked(failure)) {
          aside.accept(List.of(entry));
        } else {
          entry.refuse("the database is busy");
        }
      }
      case STORAGE -> entry.refuse(Outages.STORAGE);
      case FAULT -> entry.answer().fail(failure);
    }
    return Future.succeededFuture();
  }

  private Future<Void> store(List<Sending> group) {
    return log.append(drafts(group))
        .transform(
            (outcomes, failure) ->
                failure == null ? answer(group, outcomes) : failed(group, failure));
  }

  private Future<Void> answer(List<Sending> group, List<Outcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      Sending entry = group.get(i);
      entry.answer().handle(outcomes.get(i).answer(entry.draft()));
    }
    announce(events(drafts(group), outcomes));
    return Future.succeededFuture();
  }

  /// A group that was rolled back is tried again in pieces, so that what is wrong with one room
  /// or one message hurts nobody else.
  private Future<Void> failed(List<Sending> group, Throwable failure) {
    return switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of {} messages is unknown: {}", group.size(), failure.toString());
        List<Draft> drafts = drafts(group);
        unsettled = Optional.of(() -> log.find(drafts));
        refuse(group, "the outcome is unknown, try again with the same client_id");
        yield Future.succeededFuture();
      }
      case BUSY -> {
        Map<RoomId, List<Sending>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield FailureKind.isLocked(failure)
              ? storeFree(group, rooms)
              : storeEach(rooms.values().iterator());
        }
        if (FailureKind.isLocked(failure)) {
          aside.accept(group);
        } else {
          refuse(group, "the database is busy");
        }
        yield Future.succeededFuture();
      }
      case STORAGE -> {
        refuse(group, Outages.STORAGE);
        yield Future.succeededFuture();
      }
      case FAULT -> {
        if (group.size() > 1) {
          yield storeEach(group.stream().map(List::of).iterator());
        }
        group.forEach(entry -> entry.answer().fail(failure));
        yield Future.succeededFuture();
      }
    };
  }

  /// Puts aside what is for rooms that are locked, and stores the rest. Where all are free by now,
  /// each room is tried alone.
  private Future<Void> storeFree(List<Sending> group, Map<RoomId, List<Sending>> rooms) {
    return log.locked(rooms.keySet())
        .otherwise(Set.of())
        .compose(
            locked -> {
              if (locked.isEmpty()) {
                return storeEach(rooms.values().iterator());
              }
              aside.accept(group.stream().filter(e -> locked.contains(e.room())).toList());
              return storeEach(
                  Stream.of(group.stream().filter(e -> !locked.contains(e.room())).toList())
                      .filter(free -> !free.isEmpty())
                      .iterator());
            });
  }

  private Future<Void> storeEach(Iterator<List<Sending>> pieces) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture();
    }
    if (!isSettled()) {
      pieces.forEachRemaining(piece -> refuse(piece, "the database is away"));
      return Future.succeededFuture();
    }
    List<Sending> free = new ArrayList<>(pieces.next());
    List<Sending> held = free.stream().filter(e -> isAside.test(e.room())).toList();
    free.removeAll(held);
    aside.accept(held); // behind what the room has there already
    return free.isEmpty() ? storeEach(pieces) : store(free).compose(_ -> storeEach(pieces));
  }

  private static Map<RoomId, List<Sending>> byRoom(List<Sending> group) {
    Map<RoomId, List<Sending>> rooms = new LinkedHashMap<>();
    for (Sending entry : group) {
      rooms.computeIfAbsent(entry.room(), _ -> new ArrayList<>()).add(entry);
    }
    return rooms;
  }

  private static List<Draft> drafts(List<Sending> group) {
    return group.stream().map(Sending::draft).toList();
  }

  private static void refuse(Collection<? extends Entry> entries, String why) {
    entries.forEach(entry -> entry.refuse(why));
  }

  private List<Event> events(List<Draft> group, List<Outcome> outcomes) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Stored stored) {
        events.add(Event.of(stored.message(group.get(i)), log.epoch()));
      }
    }
    return events;
  }

  private void announce(List<Event> events) {
    if (!events.isEmpty()) {
      announcer.announce(events);
    }
  }
}
