package io.confab.socket;

import io.confab.feed.AccountSignal;
import io.confab.feed.Event;
import io.confab.feed.EventSource;
import io.confab.feed.FeedHub;
import io.confab.feed.FeedLoop;
import io.confab.feed.RoomFeeds;
import io.confab.feed.SharedPages;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.time.RetryLoop;
import io.confab.time.Timers;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// One event loop with its sessions and the feeds of their rooms. Only the methods of
/// [FeedLoop] may be called from other threads.
final class SocketLoop implements FeedLoop {
  /// How long Redis may take to confirm before a session goes on without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// Fine enough for a feed that holds an event for 30 ms, so one wheel serves all; a turn of
  /// it is longer than most time-outs.
  static final Duration TICK = Duration.ofMillis(10);

  private static final int SLOTS = 2_048;

  /// Sessions that are compared with the database at a time.
  private static final int COMPARED_TOGETHER = 500;

  /// What a comparison finds or fails at may ask for the next one: it must not feed itself.
  static final Duration BETWEEN_COMPARISONS = Duration.ofMillis(400);

  private final Executor context;
  private final FeedHub hub;
  private final EventSource source;
  private final TimingWheel wheel;
  private final RoomFeeds feeds;
  private final Map<AccountId, Followed> accounts = new HashMap<>();

  private final RetryLoop comparison;

  private record Followed(Set<Session> sessions, Promise<Void> listening) {}

  /// Its wheel is to be driven every [#TICK].
  ///
  /// @param context runs what it is given one after the other, never at once
  SocketLoop(
      Executor context, FeedHub hub, EventSource source, Meters meters, LongSupplier nanoTime) {
    this.context = context;
    this.hub = hub;
    this.wheel = new TimingWheel(TICK, SLOTS, nanoTime);
    this.feeds = new RoomFeeds(hub, this, source, wheel, meters);
    hub.epoch().onChange(context, feeds::enter);
    context.execute(() -> feeds.enter(hub.epoch().current()));
    this.source = new SharedPages(feeds, source, hub.recent(), meters);
    this.comparison = new RetryLoop(wheel, this::compare, BETWEEN_COMPARISONS);
    hub.add(this);
  }

  RoomFeeds feeds() {
    return feeds;
  }

  /// What streams read from that are behind.
  EventSource source() {
    return source;
  }

  Timers timers() {
    return wheel;
  }

  /// For all that waits on this loop.
  TimingWheel wheel() {
    return wheel;
  }

  /// Brings the account's news to a session; done when everything that happens from now on is
  /// heard.
  Future<Void> join(AccountId account, Session session) {
    Followed followed = accounts.get(account);
    if (followed == null) {
      followed = new Followed(new LinkedHashSet<>(), Promise.promise());
      accounts.put(account, followed);
      if (hub.watch(account, this)) {
        followed.listening().tryComplete();
      } else {
        wheel.after(PATIENCE, followed.listening()::tryComplete);
      }
    }
    followed.sessions().add(session);
    return followed.listening().future();
  }

  void left(AccountId account, Session session) {
    Followed followed = accounts.get(account);
    if (followed != null && followed.sessions().remove(session) && followed.sessions().isEmpty()) {
      accounts.remove(account);
      hub.unwatch(account, this);
    }
  }

  private List<Session> sessionsOf(AccountId account) {
    Followed followed = accounts.get(account);
    return followed == null ? List.of() : new ArrayList<>(followed.sessions());
  }

  @Override
  public void event(Event event) {
    context.execute(() -> feeds.offer(event));
  }

  @Override
  public void signal(AccountSignal signal) {
    context.execute(() -> sessionsOf(signal.account()).forEach(session -> session.signal(signal)));
  }

  @Override
  public void signalAgain(AccountSignal signal) {
    context.execute(
        () -> sessionsOf(signal.account()).forEach(session -> session.signalAgain(signal)));
  }

  @Override
  public void moved(RoomId room, Rev rev) {
    context.execute(() -> feeds.hearOf(room, rev));
  }

  @Override
  public void look(RoomId room) {
    context.execute(() -> feeds.refresh(room));
  }

  @Override
  public void compareAll() {
    context.execute(() -> comparison.ask());
  }

  /// Asks the database where all rooms stand and what became of all accounts.
  private Future<?> compare() {
    List<Session> sessions =
        accounts.values().stream().flatMap(followed -> followed.sessions().stream()).toList();
    return Future.all(feeds.refreshAll(), reconcile(sessions));
  }

  private static Future<Void> reconcile(List<Session> sessions) {
    int chunk = Math.min(COMPARED_TOGETHER, sessions.size());
    if (chunk == 0) {
      return Future.succeededFuture();
    }
    return Future.all(sessions.subList(0, chunk).stream().map(Session::reconcile).toList())
        .compose(_ -> reconcile(sessions.subList(chunk, sessions.size())));
  }

  @Override
  public void listening(RoomId room) {
    context.execute(() -> feeds.refresh(room));
  }

  @Override
  public void listening(AccountId account) {
    context.execute(() -> heard(account));
  }

  private void heard(AccountId account) {
    Followed followed = accounts.get(account);
    if (followed != null && !followed.listening().tryComplete()) {
      sessionsOf(account).forEach(Session::reconcile); // news may have passed unheard until now
    }
  }
}
