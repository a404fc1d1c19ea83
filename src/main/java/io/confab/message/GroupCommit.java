package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.message.WriterQueue.Entry;
import io.confab.postgres.FailureKind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores what a writer took from its queue, answers it after the commit, then announces it.
///
/// After a lost connection the outcome of what was in flight is unknown. Its senders hear
/// `unavailable` at once; before anything else is stored it must be settled: looked up by its
/// keys, and what turns out stored is announced, because nobody else would.
final class GroupCommit {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  private final MessageLog log;
  private final Announcer announcer;
  private List<Draft> unsettled = List.of();

  GroupCommit(MessageLog log, Announcer announcer) {
    this.log = log;
    this.announcer = announcer;
  }

  boolean isSettled() {
    return unsettled.isEmpty();
  }

  /// Looks up what is not settled. The log is connected anew: the lost call has ended.
  Future<Void> settle() {
    if (unsettled.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Draft> group = unsettled;
    return log.find(group)
        .map(
            found -> {
              unsettled = List.of();
              announce(group, found);
              return null;
            });
  }

  /// Nobody will ask again.
  void giveUp() {
    unsettled = List.of();
  }

  /// Done when each of the group is answered; fails only by a bug.
  Future<Void> store(List<Entry> group) {
    return log.append(drafts(group))
        .transform(
            (outcomes, failure) ->
                failure == null ? answer(group, outcomes) : failed(group, failure));
  }

  private Future<Void> answer(List<Entry> group, List<Outcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      Entry entry = group.get(i);
      entry.answer().handle(outcomes.get(i).answer(entry.draft()));
    }
    announce(drafts(group), outcomes);
    return Future.succeededFuture();
  }

  /// A group that was rolled back is tried again in pieces, so that what is wrong with one room
  /// or one message hurts nobody else.
  private Future<Void> failed(List<Entry> group, Throwable failure) {
    return switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of {} messages is unknown: {}", group.size(), failure.toString());
        unsettled = drafts(group);
        refuse(group, "the outcome is unknown, try again with the same client_id");
        yield Future.succeededFuture();
      }
      case BUSY -> {
        Collection<List<Entry>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield storeEach(rooms.iterator());
        }
        refuse(group, "the database is busy");
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

  private Future<Void> storeEach(Iterator<List<Entry>> pieces) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture();
    }
    if (!isSettled()) {
      pieces.forEachRemaining(piece -> refuse(piece, "the database is away"));
      return Future.succeededFuture();
    }
    return store(pieces.next()).compose(_ -> storeEach(pieces));
  }

  private static Collection<List<Entry>> byRoom(List<Entry> group) {
    Map<Object, List<Entry>> rooms = new LinkedHashMap<>();
    for (Entry entry : group) {
      rooms.computeIfAbsent(entry.draft().roomId(), _ -> new ArrayList<>()).add(entry);
    }
    return rooms.values();
  }

  private static List<Draft> drafts(List<Entry> group) {
    return group.stream().map(Entry::draft).toList();
  }

  private static void refuse(Collection<Entry> entries, String why) {
    entries.forEach(entry -> entry.refuse(why));
  }

  private void announce(List<Draft> group, List<Outcome> outcomes) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Stored stored) {
        events.add(Event.of(stored.message(group.get(i)), log.epoch()));
      }
    }
    if (!events.isEmpty()) {
      announcer.announce(events);
    }
  }
}
