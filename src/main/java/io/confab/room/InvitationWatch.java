package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.postgres.Database;
import io.confab.room.InvitationStore.Change;
import io.confab.room.InvitationStore.Lately;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes up for what nobody told of invitations: one whose time is over, one that a block ended,
/// one whose signal was lost. It ends what is due, and has the sessions of this node look at each
/// invitation that changed since it looked last; they tell what their clients do not know yet. All
/// nodes do so; what one has ended the others leave.
public final class InvitationWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InvitationWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /// Rows of a statement.
  private static final int AT_ONCE = 500;

  private final Vertx vertx;
  private final InvitationStore store;
  private final Consumer<AccountSignal> sessions;
  private @Nullable OffsetDateTime lookedAt;
  private boolean looking;
  private boolean failing;
  private long timer = -1;

  /// @param sessions those of this node
  public InvitationWatch(Vertx vertx, Database database, Consumer<AccountSignal> sessions) {
    this.vertx = vertx;
    this.store = new InvitationStore(database);
    this.sessions = sessions;
  }

  /// Looks every ten seconds.
  public void start() {
    timer = vertx.setPeriodic(INTERVAL.toMillis(), _ -> lookAlone());
  }

  private void lookAlone() {
    if (looking) {
      return;
    }
    looking = true;
    look()
        .onComplete(
            looked -> {
              if (looked.failed() && !failing) {
                LOG.warn("Invitations are not looked at: {}", looked.cause().toString());
              }
              failing = looked.failed();
              looking = false;
            });
  }

  /// Looks once. What changed in transactions that were under way at the last time is seen too.
  Future<Void> look() {
    return store
        .endExpired(AT_ONCE)
        .compose(_ -> store.changedSince(lookedAt, null, AT_ONCE))
        .compose(
            lately -> {
              OffsetDateTime since = lookedAt;
              return tell(since, lately).onSuccess(_ -> lookedAt = lately.now());
            });
  }

  private Future<Void> tell(@Nullable OffsetDateTime since, Lately lately) {
    lately
        .changes()
        .forEach(
            change -> sessions.accept(new AccountSignal.Invited(change.account(), change.room())));
    Change last = lately.changes().isEmpty() ? null : lately.changes().getLast();
    return last == null || lately.changes().size() < AT_ONCE
        ? Future.succeededFuture()
        : store.changedSince(since, last, AT_ONCE).compose(next -> tell(since, next));
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
