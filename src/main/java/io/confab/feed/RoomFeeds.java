package io.confab.feed;

import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The feeds of one event loop: makes them at the first follower, drops them after the last,
/// and reads for them. Belongs to its loop.
///
/// All are of one epoch. When a newer one becomes known, by whatever way, all of them are left
/// behind: their followers hear nothing any more, no read under way reaches them, and a follower
/// that attaches from then on gets a new feed, which learns where the room stands anew.
public final class RoomFeeds implements RoomListener, RoomFeed.Wants {
  private static final Logger LOG = LoggerFactory.getLogger(RoomFeeds.class);
  private static final int PAGE = 200;

  /// Two nodes' publications overtake each other by less than this, most of the time.
  private static final Duration HOLD = Duration.ofMillis(30);

  /// How long a subscription may take before the room starts without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// What a signal that waits takes in memory beside its frame, about.
  private static final int SIGNAL_BYTES = 200;

  private final Handover loop;
  private final FeedHub hub;
  private final EventSource source;
  private final Timers timers;
  private final Meters meters;
  private final Consumer<CompareReason> comparing;
  private final PositionReads positions;
  private final FeedMemory memory;
  private final Map<RoomId, RoomFeed> feeds = new HashMap<>();

  /// What waits for the loop, guarded by itself.
  private final Map<RoomId, Rev> moved = new LinkedHashMap<>();
  private Epoch epoch;

  /// The epoch of which it is known and told that commits were lost.
  private Epoch regressed = new Epoch(0);

  /// @param loop the way to the event loop
  /// @param mostBytes of all events that are remembered or held
  public RoomFeeds(
      Handover loop,
      FeedHub hub,
      EventSource source,
      Timers timers,
      Meters meters,
      long mostBytes) {
    this.loop = loop;
    this.hub = hub;
    this.source = source;
    this.timers = timers;
    this.meters = meters;
    this.comparing = meters.counting(Meter.COMPARISONS, CompareReason.class);
    this.memory = new FeedMemory(mostBytes);
    this.positions = new PositionReads(source, timers, this::isCurrent, this::databaseIsBack);
    this.epoch = hub.epoch().current();
  }

  /// While too much waits for the loop it is told where the rooms stand, and reads.
  @Override
  public void events(List<Event> events) {
    long bytes = events.stream().mapToLong(Event::bytes).sum();
    if (!loop.offer(bytes, () -> Guarded.each(events, this::offer))) {
      events.forEach(
          event -> {
            hub.epoch().saw(event.epoch());
            moved(event.room(), event.rev());
          });
    }
  }

  /// While too much waits for the loop signals are lost.
  @Override
  public void signal(RoomSignal signal) {
    loop.offer(
        SIGNAL_BYTES + signal.frame().length,
        () -> {
          RoomFeed feed = feeds.get(signal.room());
          if (feed != null) {
            feed.signal(signal);
          }
        });
  }

  /// Of each room the newest word waits for the loop.
  @Override
  public void moved(RoomId room, Rev rev) {
    boolean first;
    synchronized (moved) {
      first = moved.isEmpty();
      moved.merge(room, rev, (one, other) -> one.isAfter(other) ? one : other);
    }
    if (first) {
      loop.execute(this::hearOfMoved);
    }
  }

  private void hearOfMoved() {
    Map<RoomId, Rev> told;
    synchronized (moved) {
      told = new HashMap<>(moved); // in an order that every process repeats, unlike Map.copyOf
      moved.clear();
    }
    told.forEach(this::hearOf);
  }

  @Override
  public void look(RoomId room) {
    loop.execute(() -> refresh(room));
  }

  /// As [Announcer#announce(RoomSignal)].
  public void announce(RoomSignal signal) {
    hub.announce(signal);
  }

  public Epoch epoch() {
    return epoch;
  }

  /// This epoch was heard of: one newer than that of the feeds ends them, and the node hears of it.
  public void enter(Epoch told) {
    if (!told.isAfter(epoch)) {
      return;
    }
    epoch = told;
    List<RoomFeed> outlived = List.copyOf(feeds.values());
    feeds.clear();
    outlived.forEach(RoomFeed::leave); // all of them, before anybody hears of it
    outlived.forEach(this::leave);
    hub.epoch().saw(told);
  }

  /// Whether what was read is of the epoch of the feeds. What is older was read too early, or
  /// from a database that has yet to be looked at.
  private boolean isCurrent(Epoch read) {
    enter(read);
    return read.equals(epoch);
  }

  /// Follows a room. [Subscriber#ready] is called once it is known where the room stands, at
  /// once if that is known already.
  public Subscription attach(RoomId room, Subscriber subscriber) {
    RoomFeed feed = feeds.get(room);
    if (feed == null) {
      feed = new RoomFeed(room, epoch, this);
      feeds.put(room, feed);
      start(feed);
    }
    Subscription subscription = feed.attach(subscriber);
    if (feed.isReady()) {
      subscriber.ready();
    }
    return subscription;
  }

  private void start(RoomFeed feed) {
    if (hub.watch(feed.room(), this)) {
      refresh(feed.room());
    } else {
      timers.after(
          PATIENCE,
          () -> {
            if (!feed.isReady() && !feed.isLeft()) {
              refresh(feed.room());
            }
          });
    }
  }

  public void detach(Subscription subscription) {
    RoomFeed feed = subscription.feed();
    feed.detach(subscription);
    if (feed.isUnused() && feeds.remove(feed.room(), feed)) {
      leave(feed);
    }
  }

  private void leave(RoomFeed feed) {
    feed.leave();
    memory.forget(feed);
    hub.unwatch(feed.room(), this);
  }

  /// The last rev that the feed of a room has told; 0 when nobody follows it.
  Rev head(RoomId room) {
    RoomFeed feed = feeds.get(room);
    return feed == null ? Rev.ZERO : feed.head();
  }

  /// Takes in what was announced. What was announced under an older epoch, by a writer that had
  /// not heard of the raise, is a reason to look where the room stands, and nothing more.
  private void offer(Event event) {
    boolean current = isCurrent(event.epoch());
    RoomFeed feed = feeds.get(event.room());
    if (feed != null && current) {
      feed.offer(event);
    } else if (feed != null) {
      refresh(event.room());
    }
  }

  /// Looks where a room stands and repairs its feed if it is behind; done when that is known.
  public Future<Void> refresh(RoomId room) {
    RoomFeed asking = feeds.get(room);
    Rev told = asking == null ? Rev.ZERO : asking.head();
    return positions
        .read(room)
        .onSuccess(
            rev -> {
              RoomFeed feed = feeds.get(room);
              if (feed != null) {
                notice(feed.equals(asking) && told.isAfter(rev), room);
                feed.learn(rev);
              }
            })
        .mapEmpty();
  }

  /// What was told was committed, and the read began later: commits are lost.
  private void notice(boolean lost, RoomId room) {
    if (lost && !epoch.equals(regressed)) {
      regressed = epoch;
      LOG.error(
          "A room stands behind what was told of it: {}, epoch {}. Was the database restored from"
              + " an older copy? Then run `confab epoch bump`",
          room,
          epoch);
    }
  }

  /// Takes in what a digest says.
  private void hearOf(RoomId room, Rev rev) {
    RoomFeed feed = feeds.get(room);
    if (feed != null) {
      feed.hearOf(rev);
    }
  }

  /// Looks where all followed rooms stand, as events may have been missed. Done when that
  /// is known.
  public Future<Void> refreshAll() {
    return refresh(List.copyOf(feeds.keySet()));
  }

  /// What was under way when it went away may have been committed since.
  private void databaseIsBack() {
    comparing.accept(CompareReason.DATABASE);
    hub.compareAll();
  }

  /// The same for many rooms.
  public Future<Void> refresh(Collection<RoomId> rooms) {
    return Future.all(rooms.stream().map(this::refresh).toList()).mapEmpty();
  }

  @Override
  public void fetch(RoomFeed feed, Rev after) {
    source
        .read(feed.room(), after, PAGE)
        .onSuccess(
            page -> {
              if (isCurrent(page.epoch()) && !feed.isLeft()) {
                meters.gapFilled();
                feed.fetched(page.events(), page.head());
              } else {
                timers.retry(() -> fetchFailed(feed));
              }
            })
        .onFailure(_ -> timers.retry(() -> fetchFailed(feed)));
  }

  private void fetchFailed(RoomFeed feed) {
    if (!feed.isLeft()) {
      feed.fetchFailed();
    }
  }

  @Override
  public void told(Event event, int followers) {
    meters.eventFannedOut(followers);
    if (followers > 0 && event.subject() instanceof Event.OfMessage) {
      EventFrames.ts(event.frame()).ifPresent(meters::messageDelivered);
    }
  }

  /// A feed of an epoch that is over is told to nobody else, and soon forgotten.
  @Override
  public void keeps(RoomFeed feed, long bytes) {
    if (!feed.isLeft()) {
      memory.keeps(feed, bytes);
    }
  }

  @Override
  public void checkSoon(RoomFeed feed) {
    timers.after(HOLD, feed::check);
  }
}
