package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.message.WriterQueue.Batch;
import io.confab.message.WriterQueue.Changes;
import io.confab.message.WriterQueue.Changing;
import io.confab.message.WriterQueue.Entry;
import io.confab.message.WriterQueue.Sealing;
import io.confab.message.WriterQueue.Sealings;
import io.confab.message.WriterQueue.Sending;
import io.confab.message.WriterQueue.Sends;
import io.confab.postgres.FailureKind;
import io.confab.postgres.Outages;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeOutcome;
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
  private static final String AWAY = "the database is away";

  private final MessageLog log;
  private final Announcer announcer;
  private final LogCall<Sending, Outcome> sends;
  private final LogCall<Changing, ChangeOutcome> changes;
  private final LogCall<Sealing, EnvelopeOutcome> envelopes;
  private final Consumer<List<? extends Entry>> aside;
  private final Consumer<List<? extends Entry>> busy;
  private Optional<Supplier<Future<List<Event>>>> unsettled = Optional.empty();

  /// @param bound of groups of envelopes
  /// @param aside gets what waits for rooms that somebody else has locked
  /// @param busy gets what the database had no means for
  GroupCommit(
      MessageLog log,
      Announcer announcer,
      GroupBound bound,
      Consumer<List<? extends Entry>> aside,
      Consumer<List<? extends Entry>> busy) {
    this.log = log;
    this.announcer = announcer;
    this.sends = new SendCall(log, announcer);
    this.changes = new ChangeCall(log, announcer);
    this.envelopes = new EnvelopeCall(log, announcer, bound);
    this.aside = aside;
    this.busy = busy;
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

  private void announce(List<Event> found) {
    if (!found.isEmpty()) {
      announcer.announce(found);
    }
  }

  /// Nobody will ask again.
  void giveUp() {
    unsettled = Optional.empty();
  }

  /// Done when everybody is answered; fails only by a bug.
  Future<Void> store(Batch batch) {
    return switch (batch) {
      case Sends(var group) -> store(sends, group);
      case Changes(var run) -> store(changes, run);
      case Sealings(var group) -> store(envelopes, group);
    };
  }

  private <E extends Entry> Future<Void> store(LogCall<E, ?> call, List<E> group) {
    return store(call, group, List.of());
  }

  /// @param behind of the same one room, to be stored after it one by one
  private <E extends Entry, O> Future<Void> store(
      LogCall<E, O> call, List<E> group, List<E> behind) {
    return call.store(group)
        .transform(
            (outcomes, failure) -> {
              if (failure != null) {
                return failed(call, group, behind, failure);
              }
              call.answer(group, outcomes);
              call.announce(group, outcomes);
              return storeInTurn(call, behind);
            });
  }

  /// A group that was rolled back is tried again in pieces, so that what is wrong with one room
  /// or one entry hurts nobody else.
  private <E extends Entry> Future<Void> failed(
      LogCall<E, ?> call, List<E> group, List<E> behind, Throwable failure) {
    return switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of {} messages is unknown: {}", group.size(), failure.toString());
        unsettled = Optional.of(() -> call.find(group));
        refuse(group, "the outcome is unknown, try the same again");
        refuse(behind, AWAY);
        yield Future.succeededFuture();
      }
      case BUSY -> {
        Map<RoomId, List<E>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield FailureKind.isLocked(failure)
              ? storeFree(call, group, rooms)
              : storeEach(call, rooms.values().iterator());
        }
        List<E> waiting = Stream.concat(group.stream(), behind.stream()).toList();
        if (FailureKind.isLocked(failure)) {
          aside.accept(waiting);
        } else {
          busy.accept(waiting);
        }
        yield Future.succeededFuture();
      }
      case STORAGE -> {
        refuse(group, Outages.STORAGE);
        refuse(behind, Outages.STORAGE);
        yield Future.succeededFuture();
      }
      case FAULT -> {
        Map<RoomId, List<E>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield storeEach(call, rooms.values().iterator());
        }
        yield group.size() > 1
            ? storeInTurn(call, group)
            : call.fault(group.getFirst(), failure).compose(_ -> storeInTurn(call, behind));
      }
    };
  }

  /// Puts aside what is for rooms that are locked, and stores the rest. Where all are free by now,
  /// each room is tried alone.
  private <E extends Entry> Future<Void> storeFree(
      LogCall<E, ?> call, List<E> group, Map<RoomId, List<E>> rooms) {
    return log.locked(rooms.keySet())
        .otherwise(Set.of())
        .compose(
            locked -> {
              if (locked.isEmpty()) {
                return storeEach(call, rooms.values().iterator());
              }
              aside.accept(group.stream().filter(e -> locked.contains(e.room())).toList());
              return storeEach(
                  call,
                  Stream.of(group.stream().filter(e -> !locked.contains(e.room())).toList())
                      .filter(free -> !free.isEmpty())
                      .iterator());
            });
  }

  /// No two of the pieces are for the same room.
  private <E extends Entry> Future<Void> storeEach(LogCall<E, ?> call, Iterator<List<E>> pieces) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture();
    }
    if (!isSettled()) {
      pieces.forEachRemaining(piece -> refuse(piece, AWAY));
      return Future.succeededFuture();
    }
    return store(call, pieces.next()).compose(_ -> storeEach(call, pieces));
  }

  /// One by one, in the order in which they came.
  private <E extends Entry> Future<Void> storeInTurn(LogCall<E, ?> call, List<E> ofRoom) {
    return ofRoom.isEmpty()
        ? Future.succeededFuture()
        : store(call, ofRoom.subList(0, 1), ofRoom.subList(1, ofRoom.size()));
  }

  private static <E extends Entry> Map<RoomId, List<E>> byRoom(List<E> group) {
    Map<RoomId, List<E>> rooms = new LinkedHashMap<>();
    for (E entry : group) {
      rooms.computeIfAbsent(entry.room(), _ -> new ArrayList<>()).add(entry);
    }
    return rooms;
  }

  private static void refuse(Collection<? extends Entry> entries, String why) {
    entries.forEach(entry -> entry.refuse(why));
  }
}
