package io.confab.feed;

import io.confab.metrics.CompareReason;
import io.confab.metrics.Meters;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The feeds of one event loop: makes them at the first follower, drops them after the last,
/// and reads for them. Belongs to its loop.
public final class RoomFeeds implements RoomFeed.Wants {
  private static final int PAGE = 200;

  /// Two nodes' publications overtake each other by less than this, most of the time.
  private static final Duration HOLD = Duration.ofMillis(30);

  private static final Duration RETRY = Duration.ofMillis(250);

  /// How long a subscription may take before the room starts without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final FeedHub hub;
  private final FeedLoop loop;
  private final EventSource source;
  private final Timers timers;
  private final Meters meters;
  private final PositionReads positions;
  private final Map<RoomId, RoomFeed> feeds = new HashMap<>();

  public RoomFeeds(FeedHub hub, FeedLoop loop, EventSource source, Timers timers, Meters meters) {
    this.hub = hub;
    this.loop = loop;
    this.source = source;
    this.timers = timers;
    this.meters = meters;
    this.positions = new PositionReads(source, timers, this::databaseIsBack);
  }

  /// Follows a room. [Subscriber#ready] is called once it is known where the room stands, at
  /// once if that is known already.
  public Subscription attach(RoomId room, Subscriber subscriber) {
    RoomFeed feed = feeds.get(room);
    if (feed == null) {
      feed = new RoomFeed(room, this);
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
    if (hub.watch(feed.room(), loop)) {
      refresh(feed.room());
    } else {
      timers.after(
          PATIENCE,
          () -> {
            if (!feed.isReady()) {
              refresh(feed.room());
            }
          });
    }
  }

  public void detach(Subscription subscription) {
    RoomFeed feed = subscription.feed();
    feed.detach(subscription);
    if (feed.isUnused() && feeds.remove(feed.room(), feed)) {
      hub.unwatch(feed.room(), loop);
    }
  }

  /// The last rev that the feed of a room has told; 0 when nobody follows it.
  Rev head(RoomId room) {
    RoomFeed feed = feeds.get(room);
    return feed == null ? Rev.ZERO : feed.head();
  }

  /// The epoch that was found when it was last looked where rooms stand.
  Epoch epoch() {
    return positions.epoch();
  }

  /// Takes in what was announced.
  public void offer(Event event) {
    RoomFeed feed = feeds.get(event.room());
    if (feed != null) {
      feed.offer(event);
    }
  }

  /// Looks where a room stands and repairs its feed if it is behind; done when that is known.
  public Future<Void> refresh(RoomId room) {
    return positions
        .read(room)
        .onSuccess(
            rev -> {
              RoomFeed feed = feeds.get(room);
              if (feed != null) {
                feed.learn(rev);
              }
            })
        .mapEmpty();
  }

  /// Takes in what a digest says.
  public void hearOf(RoomId room, Rev rev) {
    RoomFeed feed = feeds.get(room);
    if (feed != null) {
      feed.hearOf(rev);
    }
  }

  /// Looks where all followed rooms stand: what one does who may not have heard. Done when that
  /// is known.
  public Future<Void> refreshAll() {
    return refresh(List.copyOf(feeds.keySet()));
  }

  /// What was under way when it went away may have been committed since.
  private void databaseIsBack() {
    meters.comparing(CompareReason.DATABASE);
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
              meters.gapFilled();
              feed.fetched(page.events(), page.head());
            })
        .onFailure(_ -> timers.after(RETRY, () -> fetchFailed(feed)));
  }

  private void fetchFailed(RoomFeed feed) {
    if (feed.equals(feeds.get(feed.room()))) {
      feed.fetchFailed();
    }
  }

  @Override
  public void told(int followers) {
    meters.eventFannedOut(followers);
  }

  @Override
  public void checkSoon(RoomFeed feed) {
    timers.after(HOLD, feed::check);
  }
}
