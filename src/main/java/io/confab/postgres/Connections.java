package io.confab.postgres;

import io.confab.time.Patience;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's connections to PostgreSQL. A server that is gone without a word leaves them open and
/// silent for ever, so nothing waits on one without a bound: not the greeting, and no work.
///
/// To close one in the midst of work means to close its channel below the client, which sends its
/// farewell in turn and then waits for the server's. What waits on the connection then fails.
///
/// `TCP_USER_TIMEOUT` ends connections whose peer acknowledges nothing; it needs Netty's native
/// transport, and without that only the bounds hold. It does not notice a peer whose kernel still
/// acknowledges.
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final int REACH_MS = 2_000;
  private static final int UNACKNOWLEDGED_MS = 5_000;

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final NetClientOptions transport;
  private final Duration patience;
  private final ConnectionFactory<PgConnectOptions> factory;
  private final StorageFaults storage = new StorageFaults();
  private final Set<SocketConnectionBase> open = ConcurrentHashMap.newKeySet();

  /// @param patience with a silent greeting
  Connections(Vertx vertx, PgConnectOptions options, Duration patience) {
    this.vertx = vertx;
    this.options = options;
    this.patience = patience;
    this.transport =
        new NetClientOptions()
            .setTcpKeepAlive(true)
            .setTcpUserTimeout(UNACKNOWLEDGED_MS)
            .setConnectTimeout(REACH_MS)
            .setReadIdleTimeout((int) patience.toMillis())
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    this.factory = PgDriver.INSTANCE.createConnectionFactory(vertx, transport);
  }

  /// A connection outside of all pools, with further session settings.
  Future<SqlConnection> open(Map<String, String> settings) {
    return open(vertx.getOrCreateContext(), settings);
  }

  /// The same on a context.
  Future<SqlConnection> open(Context context, Map<String, String> settings) {
    return open(context, settings, patience.multipliedBy(2));
  }

  /// The same, given up if it is not open in time.
  Future<SqlConnection> open(Map<String, String> settings, Duration within) {
    return open(vertx.getOrCreateContext(), settings, within);
  }

  private Future<SqlConnection> open(
      Context context, Map<String, String> settings, Duration within) {
    PgConnectOptions own = new PgConnectOptions(options);
    own.getProperties().putAll(settings);
    Future<SqlConnection> opening = factory.connect(context, own).map(this::greeted);
    return opening
        .timeout(within.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(_ -> opening.onSuccess(Connections::cut));
  }

  /// From now on silence is no fault: only work has a bound.
  private SqlConnection greeted(SqlConnection connection) {
    SocketConnectionBase greeted = socket(connection);
    greeted.socket().channelHandlerContext().pipeline().remove(IdleStateHandler.class);
    open.removeIf(each -> !each.isValid());
    open.add(greeted);
    return quiet(connection);
  }

  /// The client would print the end of a connection; the work on it is told of that anyway.
  private static SqlConnection quiet(SqlConnection connection) {
    return connection.exceptionHandler(end -> LOG.debug("A connection ended", end));
  }

  StorageFaults storage() {
    return storage;
  }

  /// Closes the connection, so that the work fails, if it is not done in time.
  <T> Future<T> bounded(SqlConnection connection, Duration limit, Supplier<Future<T>> work) {
    quiet(connection);
    Patience patience =
        Patience.start(
            vertx,
            limit,
            () -> {
              LOG.warn("PostgreSQL did not answer for {} ms on a connection", limit.toMillis());
              cut(connection);
            });
    return Future.succeededFuture()
        .compose(_ -> work.get())
        .onComplete(_ -> patience.cancel())
        .onFailure(failure -> storage.look(failure, System.nanoTime()));
  }

  /// Ends a connection at once, whatever is under way on it.
  static void cut(SqlConnection connection) {
    cut(socket(connection));
  }

  private static void cut(SocketConnectionBase connection) {
    ChannelHandlerContext first =
        connection.socket().channelHandlerContext().pipeline().firstContext();
    if (first != null) { // it has ended by itself
      first.close();
    }
  }

  /// Ends all connections but one.
  void cutAllBut(SqlConnection spared) {
    SocketConnectionBase one = socket(spared);
    open.stream().filter(each -> each != one).forEach(Connections::cut);
  }

  private static SocketConnectionBase socket(SqlConnection connection) {
    return (SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap().unwrap();
  }

  Future<Void> close() {
    return Future.future(factory::close);
  }
}
