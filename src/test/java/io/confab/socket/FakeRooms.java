package io.confab.socket;

import io.confab.feed.DigestLog;
import io.confab.feed.Event;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.feed.EventCommand.RoomVisibility;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.EventSource;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.feed.RoomFeeds;
import io.confab.feed.Visibility;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rooms whose log stands in memory, with the feeds of one loop above them. Timers fire when
/// the test says so.
final class FakeRooms implements EventSource {
  static final Epoch EPOCH = new Epoch(1);
  private static final long FEED_BYTES = 1 << 20;

  final List<Runnable> timers = new ArrayList<>();
  final List<Rev> reads = new ArrayList<>();
  final List<Integer> limits = new ArrayList<>();
  final FakeBroker broker = new FakeBroker();
  final DatabaseEpoch epoch = new DatabaseEpoch(EPOCH);
  final RoomFeeds feeds;
  boolean away;

  /// Where rooms stand can be read, what was said cannot.
  boolean unreadable;
  Visibility visibility = Visibility.ALL;

  /// Visibilities that were read are answered when the test says so.
  boolean holdsVisibilities;

  int visibilityReads;
  private final List<Runnable> visibilitiesHeld = new ArrayList<>();
  private final Map<RoomId, List<Event>> logs = new HashMap<>();

  FakeRooms() {
    broker.hears = true;
    feeds =
        new RoomFeeds(
            new Handover(Runnable::run, FEED_BYTES),
            new FeedHub(broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), epoch),
            this,
            (_, action) -> timers.add(action),
            new Meters(),
            FEED_BYTES);
  }

  /// Adds messages that nobody is told of.
  void store(RoomId room, int count) {
    for (int i = 0; i < count; i++) {
      add(room, null);
    }
  }

  /// Adds a message and tells the feed.
  void say(RoomId room) {
    feeds.events(List.of(add(room, null)));
  }

  /// Ends a membership and tells the feed.
  void leave(RoomId room, AccountId account, LeaveReason reason) {
    feeds.events(List.of(add(room, new Event.Departure(account, reason))));
  }

  Event add(RoomId room, Event.@Nullable Subject other) {
    List<Event> log = logs.computeIfAbsent(room, _ -> new ArrayList<>());
    Rev rev = new Rev(log.size() + 1);
    Event.Subject subject = other == null ? new Event.OfMessage(new Seq(rev.value()), rev) : other;
    Event event = new Event(room, EPOCH, rev, subject, new byte[0]);
    log.add(event);
    return event;
  }

  void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Override
  public Future<EventPage> read(RoomId room, Rev after, int limit) {
    reads.add(after);
    limits.add(limit);
    if (away || unreadable) {
      return Future.failedFuture(Refusal.unavailable("the database is away"));
    }
    List<Event> log = logs.getOrDefault(room, List.of());
    List<Event> page =
        log.stream().filter(event -> event.rev().isAfter(after)).limit(limit).toList();
    return Future.succeededFuture(new EventPage(room, EPOCH, page, new Rev(log.size())));
  }

  @Override
  public Future<Positions> positions(List<RoomId> rooms) {
    return Future.succeededFuture(
        new Positions(
            EPOCH,
            rooms.stream()
                .map(
                    room -> {
                      int size = logs.getOrDefault(room, List.of()).size();
                      return new RoomPosition(room, new Seq(size), new Rev(size));
                    })
                .toList()));
  }

  @Override
  public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
    visibilityReads++;
    if (away) {
      return Future.failedFuture(Refusal.unavailable("the database is away"));
    }
    Visibilities read =
        new Visibilities(rooms.stream().map(room -> new RoomVisibility(room, visibility)).toList());
    Promise<Visibilities> promise = Promise.promise();
    visibilitiesHeld.add(() -> promise.complete(read));
    if (!holdsVisibilities) {
      answerVisibilities();
    }
    return promise.future();
  }

  void answerVisibilities() {
    List<Runnable> held = List.copyOf(visibilitiesHeld);
    visibilitiesHeld.clear();
    held.forEach(Runnable::run);
  }
}
