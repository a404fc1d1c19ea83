package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.config.MemoryShares;
import io.confab.feed.EventSource;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.feed.RoomFeeds;
import io.confab.feed.SharedPages;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.socket.SessionQueue.QueueContext;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.confab.time.RetryLoop;
import io.confab.time.Timers;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// What the sockets of one event loop share: a wheel to wait on, the feeds of their rooms and the
/// signals of their accounts, and of those whom they watch.
///
/// @param retries of what sessions read
/// @param source what streams read from that are behind
/// @param unread of accounts in whose rooms messages change
/// @param seats of accounts in rooms with a capacity
/// @param queues of devices in sealed rooms
record SocketLoop(
    TimingWheel wheel,
    Retries retries,
    RoomFeeds feeds,
    EventSource source,
    AccountSessions accounts,
    UnreadLooks unread,
    WatchedAccounts presence,
    LoopSeats seats,
    QueueContext queues,
    SharedBound early) {
  /// Fine enough for a feed that holds an event for 30 ms, so one wheel serves all; a turn of
  /// it is longer than most time-outs.
  static final Duration TICK = Duration.ofMillis(10);

  private static final int SLOTS = 2_048;

  /// A comparison may ask for the next one by what it finds or fails at: it must not feed itself.
  static final Duration BETWEEN_COMPARISONS = Duration.ofMillis(400);

  /// Loops and nodes that failed together try again apart from each other, and this often at least.
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  /// Its wheel is to be driven.
  ///
  /// @param context runs what it is given one after the other, never at once
  /// @param memory the loop's part of it
  static SocketLoop open(
      Executor context,
      FeedHub hub,
      Requests bus,
      EventSource source,
      Meters meters,
      LongSupplier nanoTime,
      MemoryShares memory) {
    TimingWheel wheel = new TimingWheel(TICK, SLOTS, nanoTime);
    Handover handover = new Handover(context, memory.handover());
    RoomFeeds feeds = new RoomFeeds(handover, hub, source, wheel, meters, memory.feeds());
    hub.epoch().onChange(context, feeds::enter);
    context.execute(() -> feeds.enter(hub.epoch().current()));
    Backoff backoff =
        new Backoff(Timers.RETRY, LONGEST_RETRY, new SplittableRandom(nanoTime.getAsLong()));
    AccountSessions accounts = new AccountSessions(handover, hub, bus, wheel, backoff);
    WatchedAccounts presence =
        new WatchedAccounts(handover, hub, bus, wheel, meters, memory.presence());
    LoopSeats seats = seats(bus, wheel, nanoTime, accounts, memory);
    RetryLoop comparison =
        new RetryLoop(
            wheel,
            backoff,
            BETWEEN_COMPARISONS,
            () -> Future.all(feeds.refreshAll(), accounts.compareAll()));
    hub.onCompareAll(
        () ->
            context.execute(
                () -> {
                  comparison.ask();
                  presence.compareAll();
                }));
    Retries retries = new Retries(wheel, backoff);
    QueueFeed queues = new QueueFeed(handover, hub, wheel, feeds::epoch);
    hub.onCompareAll(queues::lookAll);
    return new SocketLoop(
        wheel,
        retries,
        feeds,
        new SharedPages(feeds, source, hub.recent(), meters, memory.pages()),
        accounts,
        new UnreadLooks(bus, wheel, accounts::tell),
        presence,
        seats,
        new QueueContext(
            bus,
            queues,
            retries,
            wheel,
            read -> {
              feeds.enter(read);
              return feeds.epoch();
            },
            meters.counting(Meter.ENVELOPES_DELIVERED, DeliveryWay.class),
            meters),
        new SharedBound(memory.early()));
  }

  private static LoopSeats seats(
      Requests bus,
      Timers timers,
      LongSupplier nanoTime,
      AccountSessions accounts,
      MemoryShares memory) {
    LoopSeats seats = new LoopSeats(bus, timers, nanoTime, accounts, memory.seats());
    accounts.onSeats(seats::changed, seats::gone);
    return seats;
  }
}
