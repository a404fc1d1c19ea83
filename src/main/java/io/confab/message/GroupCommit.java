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
  private final LogCall<Sending, Outcome> sends;
  private final LogCall<Changing, ChangeOutcome> changes;
  private final LogCall<Sealing, EnvelopeOutcome> envelopes;
  private final Consumer<List<? extends Entry>> aside;
  private final Consumer<List<? extends Entry>> busy;
  private final Predicate<RoomId> isAside;
  private Optional<Supplier<Future<List<Event>>>> unsettled = Optional.empty();

  /// @param bound of groups of envelopes
  /// @param aside gets what waits for rooms that somebody else has locked
  /// @param busy gets what the database had no means for
  /// @param isAside whether something waits there for a room
  GroupCommit(
      MessageLog log,
      Announcer announcer,
      GroupBound bound,
      Consumer<List<? extends Entry>> aside,
      Consumer<List<? extends Entry>> busy,
      Predicate<RoomId> isAside) {
    this.log = log;
    this.announcer = announcer;
    this.sends = new SendCall(log, announcer);
    this.changes = new ChangeCall(log, announcer);
    this.envelopes = new EnvelopeCall(log, announcer, bound);
    this.aside = aside;
    this.busy = busy;
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

  private <E extends Entry, O> Future<Void> store(LogCall<E, O> call, List<E> group) {
    return call.store(group)
        .transform(
            (outcomes, failure) -> {
              if (failure != null) {
                return failed(call, group, failure);
              }
              call.answer(group, outcomes);
              call.announce(group, outcomes);
              return Future.succeededFuture();
            });
  }

  /// A group that was rolled back is tried again in pieces, so that what is wrong with one room
  /// or one entry hurts nobody else.
  private <E extends Entry> Future<Void> failed(
      LogCall<E, ?> call, List<E> group, Throwable failure) {
    return switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of {} messages is unknown: {}", group.size(), failure.toString());
        unsettled = Optional.of(() -> call.find(group));
        refuse(group, "the outcome is unknown, try the same again");
        yield Future.succeededFuture();
      }
      case BUSY -> {
        Map<RoomId, List<E>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield FailureKind.isLocked(failure)
              ? storeFree(call, group, rooms)
              : storeEach(call, rooms.values().iterator());
        }
        if (FailureKind.isLocked(failure)) {
          aside.accept(group);
        } else {
          busy.accept(group);
        }
        yield Future.succeededFuture();
      }
      case STORAGE -> {
        refuse(group, Outages.STORAGE);
        yield Future.succeededFuture();
      }
      case FAULT -> {
        if (group.size() > 1) {
          yield storeEach(call, group.stream().map(List::of).iterator());
        }
        yield call.fault(group.getFirst(), failure);
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

  private <E extends Entry> Future<Void> storeEach(LogCall<E, ?> call, Iterator<List<E>> pieces) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture();
    }
    if (!isSettled()) {
      pieces.forEachRemaining(piece -> refuse(piece, "the database is away"));
      return Future.succeededFuture();
    }
    List<E> free = new ArrayList<>(pieces.next());
    List<E> held = free.stream().filter(e -> isAside.test(e.room())).toList();
    free.removeAll(held);
    aside.accept(held); // behind what the room has there already
    return free.isEmpty()
        ? storeEach(call, pieces)
        : store(call, free).compose(_ -> storeEach(call, pieces));
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
