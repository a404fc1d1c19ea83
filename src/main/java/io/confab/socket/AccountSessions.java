package io.confab.socket;

import io.confab.feed.AccountListener;
import io.confab.feed.AccountSignal;
import io.confab.feed.FeedHub;
import io.confab.feed.Guarded;
import io.confab.protocol.AccountId;
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
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// The sessions of one event loop by their accounts: brings them the signals of the account.
/// Belongs to its loop.
final class AccountSessions implements AccountListener {
  /// How long Redis may take to confirm before a session goes on without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// Sessions that are compared with the database at a time.
  private static final int COMPARED_TOGETHER = 500;

  private final Executor context;
  private final FeedHub hub;
  private final Timers timers;
  private final Map<AccountId, Followed> accounts = new HashMap<>();

  private record Followed(Set<Session> sessions, Promise<Void> listening) {}

  AccountSessions(Executor context, FeedHub hub, Timers timers) {
    this.context = context;
    this.hub = hub;
    this.timers = timers;
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
    }
  }

  private List<Session> of(AccountId account) {
    Followed followed = accounts.get(account);
    return followed == null ? List.of() : new ArrayList<>(followed.sessions());
  }

  @Override
  public void signal(AccountSignal signal) {
    context.execute(() -> tell(signal.account(), session -> session.signal(signal)));
  }

  /// A session that throws looks at the database, which is what signals are for.
  private void tell(AccountId account, Consumer<Session> signal) {
    Guarded.each(of(account), signal).forEach(Session::reconcile);
  }

  @Override
  public void listening(AccountId account) {
    context.execute(() -> confirmed(account));
  }

  /// Sessions that did not wait for it may have missed signals until now.
  private void confirmed(AccountId account) {
    Followed followed = accounts.get(account);
    if (followed != null && !followed.listening().tryComplete()) {
      of(account).forEach(Session::reconcile);
    }
  }

  /// Compares all sessions with the database, some at a time. Done when it has been asked.
  Future<Void> reconcileAll() {
    return reconcile(
        accounts.values().stream().flatMap(followed -> followed.sessions().stream()).toList());
  }

  private static Future<Void> reconcile(List<Session> sessions) {
    int chunk = Math.min(COMPARED_TOGETHER, sessions.size());
    if (chunk == 0) {
      return Future.succeededFuture();
    }
    return Future.all(sessions.subList(0, chunk).stream().map(Session::reconcile).toList())
        .compose(_ -> reconcile(sessions.subList(chunk, sessions.size())));
  }
}
