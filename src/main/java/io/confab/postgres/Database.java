package io.confab.postgres;

import io.confab.config.Config;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/// One node's way to PostgreSQL: a small pool for reads, another one for transactions, so that
/// those which wait for a lock keep no read waiting, and single connections for the writers. Every
/// connection has statement and lock time-outs.
public final class Database {
  private static final long COMMIT_MS = 1_000;

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Pool reads;
  private final Pool changes;
  private final DatabaseEpoch epoch = new DatabaseEpoch();
  private final EpochStore epochs;

  public Database(Vertx vertx, PostgresUrl url, Config.Postgres config) {
    this.vertx = vertx;
    this.options = connectOptions(url, config);
    this.reads = pool("postgresql", config.readConnections(), config.connectTimeout());
    this.changes = pool("postgresql-changes", config.changeConnections(), config.connectTimeout());
    this.epochs = new EpochStore(reads, epoch);
  }

  private Pool pool(String name, int connections, Duration patience) {
    return PgBuilder.pool()
        .using(vertx)
        .connectingTo(options)
        .with(
            new PoolOptions()
                .setName(name)
                .setMaxSize(connections)
                .setMaxWaitQueueSize(connections * 1_000)
                .setConnectionTimeout((int) patience.toMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS))
        .build();
  }

  private static PgConnectOptions connectOptions(PostgresUrl url, Config.Postgres config) {
    Map<String, String> properties = new HashMap<>();
    properties.put("application_name", "confab");
    properties.put("statement_timeout", config.statementTimeout().toMillis() + "ms");
    properties.put("lock_timeout", config.lockTimeout().toMillis() + "ms");
    // A node that stands still in the midst of a transaction keeps its locks no longer than this.
    properties.put("idle_in_transaction_session_timeout", "1s");
    // A plan that was made while a table was nearly empty would read it whole when it is large.
    properties.put("enable_seqscan", "off");
    PgConnectOptions options = url.connectOptions();
    options.setCachePreparedStatements(true);
    options.getProperties().putAll(properties);
    return options;
  }

  /// The epoch as this node knows it.
  public DatabaseEpoch epoch() {
    return epoch;
  }

  /// The epoch as the database stores it.
  public EpochStore epochs() {
    return epochs;
  }

  /// For single statements.
  public SqlClient client() {
    return reads;
  }

  /// Runs `work` in one READ COMMITTED transaction; it is rolled back when the future fails.
  public <T> Future<T> transaction(Function<SqlConnection, Future<T>> work) {
    return changes.withTransaction(work);
  }

  /// The same for work that is announced. When the answer to the commit is lost, or does
  /// not come within a second, for its connection may hang for ever, it may have been committed
  /// all the same.
  ///
  /// @param inDoubt gets then what the work answered; nobody waits for it, and the caller gets the
  ///     failure as ever
  public <T> Future<T> transaction(Function<SqlConnection, Future<T>> work, Consumer<T> inDoubt) {
    Promise<T> worked = Promise.promise();
    Future<T> committed =
        transaction(transaction -> work.apply(transaction).onSuccess(worked::tryComplete));
    worked
        .future()
        .onSuccess(
            answer ->
                committed
                    .timeout(COMMIT_MS, TimeUnit.MILLISECONDS)
                    .onFailure(
                        failure -> {
                          if (FailureKind.of(failure) == FailureKind.LOST) {
                            inDoubt.accept(answer);
                          }
                        }));
    return committed;
  }

  /// Opens a connection of its own, outside the pool, with further session settings.
  public Future<PgConnection> connect(Map<String, String> settings) {
    PgConnectOptions own = new PgConnectOptions(options);
    own.getProperties().putAll(settings);
    return PgConnection.connect(vertx, own);
  }

  public Future<Void> close() {
    return Future.join(reads.close(), changes.close()).mapEmpty();
  }

  /// Done when PostgreSQL answers.
  public Future<Void> ping() {
    return client().query("SELECT 1").execute().mapEmpty();
  }
}
