package io.confab.postgres;

import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Calls whose answers were lost with their connections: whether they were committed is unknown.
/// Each is settled when its backend has ended, for then it is over, committed or not. May be used
/// from any thread.
final class LostCalls {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /// One for each connection at a time; more only where connections break again and again.
  private static final int MOST = 1_000;

  /// The number of a process may be given again, but not to one that began before the call.
  private static final String END_BACKEND =
      """
      SELECT pg_terminate_backend(a.pid, 2000) FROM pg_stat_activity a
       WHERE a.pid = $1 AND a.backend_start < clock_timestamp() - $2 * interval '1 microsecond'\
      """;

  private final Vertx vertx;
  private final SqlClient client;
  private final Backoff backoff =
      new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());
  private final AtomicInteger unsettled = new AtomicInteger();

  /// @param client not over the connections that are lost
  LostCalls(Vertx vertx, SqlClient client) {
    this.vertx = vertx;
    this.client = client;
  }

  /// A call of a backend.
  ///
  /// @param beganNanos a time before it began, by `System.nanoTime`
  record Call(int pid, long beganNanos) {}

  /// Ends the backend of a call and then settles the call. Tries until both succeeds, however long
  /// PostgreSQL is away. Beyond the bound a call is settled at once, in the hope that it is over.
  void add(Call call, Supplier<Future<Void>> settle) {
    if (unsettled.incrementAndGet() > MOST) {
      settle.get().onComplete(_ -> unsettled.decrementAndGet());
    } else {
      attempt(call, settle, 0);
    }
  }

  private void attempt(Call call, Supplier<Future<Void>> settle, int failures) {
    end(call)
        .compose(_ -> settle.get())
        .onSuccess(_ -> unsettled.decrementAndGet())
        .onFailure(
            _ ->
                vertx
                    .timer(Math.max(1, backoff.delay(failures).toMillis()))
                    .onSuccess(_ -> attempt(call, settle, failures + 1)));
  }

  private Future<Void> end(Call call) {
    long micros = (System.nanoTime() - call.beganNanos()) / 1_000;
    return client
        .preparedQuery(END_BACKEND)
        .execute(Tuple.of(call.pid(), micros))
        .compose(
            rows -> {
              for (Row row : rows) {
                if (!row.getBoolean(0)) {
                  return Future.failedFuture("the backend does not end");
                }
              }
              return Future.succeededFuture();
            });
  }
}
