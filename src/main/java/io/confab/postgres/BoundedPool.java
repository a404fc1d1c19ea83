package io.confab.postgres;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.internal.command.CommandBase;
import io.vertx.sqlclient.internal.command.CommandScheduler;
import io.vertx.sqlclient.internal.pool.PoolImpl;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/// A pool of [Connections] on which every statement and every transaction is bounded in time.
final class BoundedPool extends PoolImpl {
  private final Connections connections;
  private final Duration limit;

  /// @param limit of a statement, and of a whole transaction
  BoundedPool(Vertx vertx, Connections connections, PoolOptions options, Duration limit) {
    super(
        (VertxInternal) vertx,
        PgDriver.INSTANCE,
        false,
        options,
        null,
        null,
        context -> connections.open(context, Map.of()),
        null,
        new CloseFuture());
    this.connections = connections;
    this.limit = limit;
    init();
  }

  /// Runs `work` in one READ COMMITTED transaction; it is rolled back when the future fails.
  <T> Future<T> transaction(Function<SqlConnection, Future<T>> work) {
    return use(
        connection ->
            connection
                .begin()
                .compose(
                    begun ->
                        work.apply(connection)
                            .compose(
                                answer -> begun.commit().map(answer),
                                failure ->
                                    begun
                                        .rollback()
                                        .transform(_ -> Future.failedFuture(failure)))));
  }

  /// Does work on one connection.
  <T> Future<T> use(Function<SqlConnection, Future<T>> work) {
    return withConnection(
        connection -> connections.bounded(connection, limit, () -> work.apply(connection)));
  }

  @Override
  public <R> void schedule(CommandBase<R> command, Completable<R> handler) {
    Future<R> answer =
        use(
            connection -> {
              Promise<R> scheduled = Promise.promise();
              ((CommandScheduler) connection).schedule(command, scheduled);
              return scheduled.future();
            });
    answer.onComplete(handler);
  }
}
