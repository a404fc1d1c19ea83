package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meters;
import io.confab.socket.SessionQueue.QueueContext;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.confab.time.TimingWheel;
import java.time.Duration;
import java.util.SplittableRandom;

/// A loop that is the test's own thread, above rooms that stand in memory.
final class TestLoop {
  private static final long BYTES = 1 << 20;

  private TestLoop() {}

  static SocketLoop of(
      TimingWheel wheel, FeedHub hub, FakeRooms rooms, Requests bus, WatchedAccounts presence) {
    Backoff backoff = new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1));
    AccountSessions accounts =
        new AccountSessions(new Handover(Runnable::run, BYTES), hub, bus, wheel, backoff);
    return new SocketLoop(
        wheel,
        new Retries(wheel, backoff),
        rooms.feeds,
        rooms,
        accounts,
        new UnreadLooks(bus, wheel, (_, _) -> {}),
        presence,
        new LoopSeats(bus, wheel, wheel::nanos, accounts, BYTES),
        queues(wheel, hub, rooms, bus),
        new SharedBound(BYTES));
  }

  static QueueContext queues(TimingWheel wheel, FeedHub hub, FakeRooms rooms, Requests bus) {
    return new QueueContext(
        bus,
        new QueueFeed(new Handover(Runnable::run, BYTES), hub, wheel, rooms.feeds::epoch),
        new Retries(wheel, new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
        wheel,
        _ -> rooms.feeds.epoch(),
        _ -> {},
        new Meters());
  }
}
