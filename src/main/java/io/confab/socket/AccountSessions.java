package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.AccountListener;
import io.confab.feed.AccountSignal;
import io.confab.feed.AccountSignal.SeatChanged;
import io.confab.feed.FeedHub;
import io.confab.feed.Guarded;
import io.confab.feed.Handover;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.time.Backoff;
import io.confab.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The sessions of one event loop by their accounts: brings them the signals of the account.
/// Belongs to its loop.
final class AccountSessions implements AccountListener, LoopSeats.Sessions {
  /// How long Redis may take to confirm before a session goes on without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// What a signal that waits takes in memory, about.
  private static final int SIGNAL_BYTES = 200;

  private final Handover loop;
  private final FeedHub hub;
  private final Timers timers;
  private final Map<AccountId, Followed> accounts = new HashMap<>();
  private final AccountComparison comparison;

  /// Signals were lost since the last comparison of all began.
  private final AtomicBoolean lost = new AtomicBoolean();

  private Consumer<SeatChanged> seatChanged = _ -> {};
  private Consumer<AccountId> left = _ -> {};

  private record Followed(Set<Session> sessions, Promise<Void> listening) {}

  AccountSessions(Handover loop, FeedHub hub, Requests bus, Timers timers, Backoff backoff) {
    this.loop = loop;
    this.hub = hub;
    this.timers = timers;
    this.comparison = new AccountComparison(bus, timers, backoff, this::of);
  }

  /// @param changed hears of each seat that changed
  /// @param gone hears of each account whose last session here ended
  void onSeats(Consumer<SeatChanged> changed, Consumer<AccountId> gone) {
    seatChanged = changed;
    left = gone;
  }

  /// Brings the signals of an account to a session; done when all that come from now on are heard.
  Future<Void> join(AccountId account, Session session) {
    Followed followed = accounts.get(account);
    if (followed == null) {
      followed = new Followed(new LinkedHashSet<>(), Promise.promise());
      accounts.put(account, followed);
      if (hub.watch(account, this)) {
        followed.listening().tryComplete();
      } else {
        timers.after(PATIENCE, followed.listening()::tryComplete);
      }
    }
    followed.sessions().add(session);
    return followed.listening().future();
  }

  void leave(AccountId account, Session session) {
    Followed followed = accounts.get(account);
    if (followed != null && followed.sessions().remove(session) && followed.sessions().isEmpty()) {
      accounts.remove(account);
      hub.unwatch(account, this);
      left.accept(account);
    }
  }

  private List<Session> of(AccountId account) {
    Followed followed = accounts.get(account);
    return followed == null ? List.of() : new ArrayList<>(followed.sessions());
  }

  /// Tells the sessions of an account something that was found out here.
  void tell(AccountId account, AccountSignal news) {
    tell(account, session -> session.signal(news));
  }

  /// While too much waits for the loop signals are lost, and all accounts compared once.
  @Override
  public void signal(AccountSignal signal) {
    boolean taken = loop.offer(SIGNAL_BYTES, () -> heard(signal));
    if (!taken && !lost.getAndSet(true)) {
      loop.execute(
          () -> {
            lost.set(false);
            compareAll();
          });
    }
  }

  private void heard(AccountSignal signal) {
    if (signal instanceof SeatChanged changed) {
      seatChanged.accept(changed);
    } else {
      tell(signal.account(), session -> session.signal(signal));
    }
  }

  @Override
  public boolean has(AccountId account) {
    return accounts.containsKey(account);
  }

  @Override
  public void seat(
      AccountId account,
      RoomId room,
      @Nullable ServerFrame news,
      @Nullable AuthenticatedSession but) {
    tell(account, session -> session.seat(room, news, but));
  }

  /// A session that throws looks at the database, which is what signals are for.
  private void tell(AccountId account, Consumer<Session> signal) {
    Guarded.each(of(account), signal).forEach(Session::compareAgain);
  }

  @Override
  public void listening(AccountId account) {
    loop.execute(() -> confirmed(account));
  }

  /// Sessions that did not wait for it may have missed signals until now.
  private void confirmed(AccountId account) {
    Followed followed = accounts.get(account);
    if (followed != null && !followed.listening().tryComplete()) {
      compare(account);
    }
  }

  /// Has the sessions of an account compared with the database if it has changed, and looks what
  /// seats it has.
  void compare(AccountId account) {
    of(account).forEach(Session::missedSignals);
    comparison.ask(List.of(account));
  }

  /// The same for all accounts. Done when it has been tried.
  Future<Void> compareAll() {
    accounts.keySet().forEach(account -> of(account).forEach(Session::missedSignals));
    return comparison.ask(accounts.keySet());
  }
}
