package io.confab.socket;

import io.confab.feed.EventSource;
import io.confab.feed.FeedHub;
import io.confab.feed.RoomFeeds;
import io.confab.feed.SharedPages;
import io.confab.metrics.Meters;
import io.confab.time.RetryLoop;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// What the sockets of one event loop share: a wheel to wait on, the feeds of their rooms and the
/// signals of their accounts.
///
/// @param source what streams read from that are behind
record SocketLoop(
    TimingWheel wheel, RoomFeeds feeds, EventSource source, AccountSessions accounts) {
  /// Fine enough for a feed that holds an event for 30 ms, so one wheel serves all; a turn of
  /// it is longer than most time-outs.
  static final Duration TICK = Duration.ofMillis(10);

  private static final int SLOTS = 2_048;

  /// A comparison may ask for the next one by what it finds or fails at: it must not feed itself.
  static final Duration BETWEEN_COMPARISONS = Duration.ofMillis(400);

  /// Its wheel is to be driven every [#TICK].
  ///
  /// @param context runs what it is given one after the other, never at once
  /// @param feedBytes bound of all events that its feeds remember or hold
  static SocketLoop open(
      Executor context,
      FeedHub hub,
      EventSource source,
      Meters meters,
      LongSupplier nanoTime,
      long feedBytes) {
    TimingWheel wheel = new TimingWheel(TICK, SLOTS, nanoTime);
    RoomFeeds feeds = new RoomFeeds(context, hub, source, wheel, meters, feedBytes);
    hub.epoch().onChange(context, feeds::enter);
    context.execute(() -> feeds.enter(hub.epoch().current()));
    AccountSessions accounts = new AccountSessions(context, hub, wheel);
    RetryLoop comparison =
        new RetryLoop(
            wheel,
            () -> Future.all(feeds.refreshAll(), accounts.reconcileAll()),
            BETWEEN_COMPARISONS);
    hub.onCompareAll(() -> context.execute(comparison::ask));
    return new SocketLoop(
        wheel, feeds, new SharedPages(feeds, source, hub.recent(), meters), accounts);
  }
}
