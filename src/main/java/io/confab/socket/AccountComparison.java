package io.confab.socket;

import io.confab.account.AccountCommand.ChangeCounts;
import io.confab.account.AccountCommand.CountChanges;
import io.confab.account.ChangeCount;
import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.time.Backoff;
import io.confab.time.RetryLoop;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Compares the sessions of one event loop with the database after signals may have been missed:
/// reads for many accounts at once how often they changed, and more only where that has risen. What
/// fails is tried again for all together. Belongs to its loop.
final class AccountComparison {
  /// Accounts of one statement.
  private static final int COUNTED_TOGETHER = 1_000;

  /// Sessions of changed accounts that are compared at a time.
  private static final int COMPARED_TOGETHER = 500;

  private final Requests bus;
  private final Function<AccountId, List<Session>> sessions;
  private final Set<AccountId> waiting = new LinkedHashSet<>();
  private final RetryLoop tries;

  private record Change(AccountId account, Session session, ChangeCount now) {}

  AccountComparison(
      Requests bus, Timers timers, Backoff backoff, Function<AccountId, List<Session>> sessions) {
    this.bus = bus;
    this.sessions = sessions;
    this.tries = new RetryLoop(timers, backoff, Duration.ZERO, this::compareWaiting);
  }

  /// Done when it has been tried once.
  Future<Void> ask(Collection<AccountId> accounts) {
    waiting.addAll(accounts);
    return tries.ask();
  }

  private Future<?> compareWaiting() {
    List<AccountId> some = waiting.stream().limit(COUNTED_TOGETHER).toList();
    if (some.isEmpty()) {
      return Future.succeededFuture();
    }
    some.forEach(waiting::remove);
    return bus.request(new CountChanges(some))
        .onFailure(_ -> waiting.addAll(some))
        .compose(counts -> compare(changes(counts)))
        .compose(_ -> compareWaiting());
  }

  private List<Change> changes(ChangeCounts counts) {
    List<Change> changes = new ArrayList<>();
    counts
        .byAccount()
        .forEach(
            (account, now) ->
                sessions
                    .apply(account)
                    .forEach(session -> changes.add(new Change(account, session, now))));
    return changes;
  }

  private Future<?> compare(List<Change> changes) {
    if (changes.isEmpty()) {
      return Future.succeededFuture();
    }
    int some = Math.min(COMPARED_TOGETHER, changes.size());
    List<Change> rest = changes.subList(some, changes.size());
    return Future.join(changes.subList(0, some).stream().map(this::compare).toList())
        .onFailure(_ -> rest.forEach(change -> waiting.add(change.account())))
        .compose(_ -> compare(rest));
  }

  private Future<Void> compare(Change change) {
    return change.session().compare(change.now()).onFailure(_ -> waiting.add(change.account()));
  }
}
