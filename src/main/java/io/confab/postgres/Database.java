package io.confab.postgres;

import io.confab.config.Config;
import io.confab.postgres.LostCalls.Call;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One node's way to PostgreSQL: a small pool for reads, another one for transactions, so that
/// those which wait for a lock keep no read waiting, and single connections for the writers. Every
/// connection has statement and lock time-outs.
public final class Database {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration LEAST_STANDSTILL = Duration.ofSeconds(1);

  /// A change that has not been answered by then may have been made without this node's knowing.
  private static final Duration LATE = Duration.ofSeconds(1);

  private final Duration limit;
  private final Connections connections;
  private final BoundedPool reads;
  private final BoundedPool changes;
  private final LostCalls lostCalls;
  private final Future<String> watch;
  private final Vertx vertx;
  private final DatabaseEpoch epoch = new DatabaseEpoch();
  private final EpochStore epochs;

  public Database(Vertx vertx, PostgresUrl url, Config.Postgres config) {
    this.vertx = vertx;
    this.limit = config.statementTimeout().plus(GRACE);
    this.connections = new Connections(vertx, connectOptions(url, config), config.connectTimeout());
    this.reads = pool("postgresql", config.readConnections(), config.connectTimeout());
    this.changes = pool("postgresql-changes", config.changeConnections(), config.connectTimeout());
    this.lostCalls = new LostCalls(vertx, reads);
    this.watch = vertx.deployVerticle(new SilenceWatch(connections));
    this.epochs = new EpochStore(reads, epoch);
  }

  private BoundedPool pool(String name, int size, Duration patience) {
    PoolOptions options =
        new PoolOptions()
            .setName(name)
            .setMaxSize(size)
            .setMaxWaitQueueSize(size * 1_000)
            .setConnectionTimeout((int) patience.toMillis())
            .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
    return new BoundedPool(vertx, connections, options, limit);
  }

  private static PgConnectOptions connectOptions(PostgresUrl url, Config.Postgres config) {
    Map<String, String> properties = new HashMap<>();
    properties.put("application_name", "confab");
    properties.put("statement_timeout", config.statementTimeout().toMillis() + "ms");
    properties.put("lock_timeout", config.lockTimeout().toMillis() + "ms");
    properties.put(
        "idle_in_transaction_session_timeout", standstill(config.lockTimeout()).toMillis() + "ms");
    // A plan that was made while a table was nearly empty would read it whole when it is large
    // (docs/performance.md).
    properties.put("enable_seqscan", "off");
    // By its estimates PostgreSQL would plan many statements anew at each call, which costs as much
    // as they do. Ours have one good plan, by their keys.
    properties.put("plan_cache_mode", "force_generic_plan");
    PgConnectOptions options = url.connectOptions();
    options.setCachePreparedStatements(true);
    options.getProperties().putAll(properties);
    return options;
  }

  /// A node that stands still in the midst of a transaction keeps its locks no longer than this, so
  /// that those who wait for them, if for more than a second, get them in time.
  private static Duration standstill(Duration lockTimeout) {
    Duration third = lockTimeout.dividedBy(3);
    return third.compareTo(LEAST_STANDSTILL) < 0 ? LEAST_STANDSTILL : third;
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
    return changes.transaction(work);
  }

  /// The same for work that is announced.
  ///
  /// @param lost gets what the work answered when the answer to the commit is late, and when it is
  ///     lost, as soon as the transaction is over, committed or not; then it is called again until
  ///     it succeeds. Nobody waits for it, and the caller gets the failure as ever
  public <T> Future<T> transaction(
      Function<SqlConnection, Future<T>> work, Function<T, Future<Void>> lost) {
    Promise<Announced> worked = Promise.promise();
    Future<T> whole =
        transaction(
            transaction -> {
              Call call = call(transaction);
              return work.apply(transaction)
                  .onSuccess(
                      answer -> worked.tryComplete(new Announced(call, () -> lost.apply(answer))));
            });
    worked.future().onSuccess(announced -> whenLost(whole, announced));
    return whole;
  }

  private record Announced(Call call, Supplier<Future<Void>> lost) {}

  /// Executes a statement that changes something, in a transaction of its own.
  ///
  /// @param lost is called when the answer is late, and when it is lost; as above
  public Future<RowSet<Row>> change(String sql, Tuple arguments, Supplier<Future<Void>> lost) {
    return changes.use(
        connection -> {
          Announced announced = new Announced(call(connection), lost);
          return whenLost(connection.preparedQuery(sql).execute(arguments), announced);
        });
  }

  /// An answer that is late may be lost: everybody looks at once, and again when the call is over.
  private <T> Future<T> whenLost(Future<T> answer, Announced announced) {
    long timer = vertx.setTimer(LATE.toMillis(), _ -> lookOnce(announced));
    return answer
        .onComplete(_ -> vertx.cancelTimer(timer))
        .onFailure(
            failure -> {
              if (FailureKind.of(failure) == FailureKind.LOST) {
                lostCalls.add(announced.call(), announced.lost());
              }
            });
  }

  private static Call call(SqlConnection connection) {
    return new Call(PgConnection.cast(connection).processId(), System.nanoTime());
  }

  private static void lookOnce(Announced announced) {
    announced.lost().get().onFailure(failure -> LOG.debug("Nobody could look yet", failure));
  }

  /// Opens a connection of its own, outside the pools, with further session settings.
  public Future<SqlConnection> connect(Map<String, String> settings) {
    return connections.open(settings);
  }

  /// Work on such a connection: where PostgreSQL does not answer, the connection is closed and the
  /// work fails.
  <T> Future<T> bounded(SqlConnection connection, Supplier<Future<T>> work) {
    return connections.bounded(connection, limit, work);
  }

  public Future<Void> close() {
    return watch
        .compose(vertx::undeploy)
        .transform(_ -> Future.join(reads.close(), changes.close()))
        .transform(_ -> connections.close());
  }

  /// Fails with what PostgreSQL said of its disk, if it refused work for that lately.
  public Future<Void> storage() {
    return connections
        .storage()
        .recent(System.nanoTime())
        .<Future<Void>>map(fault -> Future.failedFuture("storage: " + fault))
        .orElseGet(Future::succeededFuture);
  }

  /// How often PostgreSQL refused work because its disk was full or failed.
  public long storageFailures() {
    return connections.storage().count();
  }

  /// Done when PostgreSQL answers.
  public Future<Void> ping() {
    return client().query("SELECT 1").execute().mapEmpty();
  }
}
