package io.confab.socket;

import io.confab.account.outside.Bearer;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.Guarded;
import io.confab.listener.ClientAddress;
import io.confab.listener.SharedBound;
import io.confab.listener.TrustedProxies;
import io.confab.logging.AccessLog;
import io.confab.logging.Exchange;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Takes WebSocket upgrades on one event loop, to which it belongs, and makes a connection of
/// each; sends all of them away in the end. With [Handshake] all that knows Vert.x' WebSocket.
public final class SocketEndpoint {
  public static final String PATH = "/v1/socket";
  public static final String SUBPROTOCOL = "confab.v1";
  private static final int SWITCHING = 101;
  private static final int UNAVAILABLE = 503;
  private static final long ANSWERS_LIMIT_MS = 8_000;
  private static final long CLOSES_GRACE_MS = 500;
  private static final int GOODBYES = 500;
  private static final long GOODBYES_PAUSE_MS = 10;

  private final Vertx vertx;
  private final Executor onContext;
  private final SocketServices services;
  private final Config.Sockets limits;
  private final Handshake handshake;
  private final Optional<AccessLog> access;
  private final SharedFrames encoder = new SharedFrames();
  private final SocketChannel.ChannelContext shared;
  private final Set<Connection> connections = new LinkedHashSet<>();
  private final Promise<Void> lastLeft = Promise.promise();
  private boolean draining;

  SocketEndpoint(
      Vertx vertx, SocketServices services, TrustedProxies proxies, Optional<AccessLog> access) {
    this.vertx = vertx;
    ContextInternal context = (ContextInternal) vertx.getOrCreateContext();
    this.onContext = task -> context.emit(task, Runnable::run);
    this.services = services;
    this.access = access;
    this.limits = services.config().sockets();
    this.handshake =
        new Handshake(
            new Origins(services.config().http()), services.bus(), services.limits(), proxies);
    long spreadMs = limits.reconnectSpread().toMillis();
    this.shared =
        new SocketChannel.ChannelContext(
            encoder,
            new Flushes(
                flush -> context.runOnContext(_ -> flush.run()),
                MemoryShares.ofProcess().sockets() / services.config().http().loops()),
            new SharedBound(
                MemoryShares.ofProcess().halfFrames() / services.config().http().loops()),
            services.loop().wheel(),
            services.meters(),
            limits,
            () -> ThreadLocalRandom.current().nextLong(spreadMs + 1));
  }

  /// Answers an upgrade. In this order: 503 while draining; 426 for another version than that
  /// of RFC 6455; 404 off the path; 403 for an `Origin` that is not on the list; 429 for
  /// an address that opens too many; 401 for a bad bearer token and 503 while nobody can say
  /// whether it is good; else a connection.
  public void handshake(ServerWebSocketHandshake upgrade) {
    Optional<Integer> refusal = draining ? Optional.of(UNAVAILABLE) : handshake.refusal(upgrade);
    if (refusal.isPresent()) {
      reject(upgrade, refusal.get());
      return;
    }
    handshake
        .bearer(upgrade)
        .onSuccess(bearer -> decided(upgrade, bearer))
        .onFailure(failure -> reject(upgrade, Refusals.of(failure).code().httpStatus()));
  }

  private void reject(ServerWebSocketHandshake upgrade, int status) {
    upgrade.reject(status);
    tell(upgrade, status);
  }

  private void tell(ServerWebSocketHandshake upgrade, int status) {
    access.ifPresent(
        log ->
            log.ended(
                Exchange.withoutBody(
                    "GET",
                    PATH.equals(upgrade.path()) ? PATH : AccessLog.NO_ROUTE,
                    status,
                    handshake.address(upgrade).toString(),
                    handshake.address(upgrade).group())));
  }

  private void decided(ServerWebSocketHandshake upgrade, Optional<Bearer> bearer) {
    if (draining) {
      reject(upgrade, UNAVAILABLE);
    } else {
      // A client that gave up meanwhile has no use for an answer, and accept() throws.
      Future.succeededFuture()
          .compose(_ -> upgrade.accept())
          .onSuccess(socket -> opened(socket, handshake.address(upgrade), bearer))
          .onSuccess(_ -> tell(upgrade, SWITCHING));
    }
  }

  private void opened(ServerWebSocket socket, ClientAddress address, Optional<Bearer> bearer) {
    Connection connection =
        new Connection(onContext, services, shared, address, bearer, this::left);
    connections.add(connection);
    services.meters().socketOpened();
    connection.begin(((WebSocketInternal) socket).channelHandlerContext().pipeline());
    if (!SUBPROTOCOL.equals(socket.subProtocol())) {
      connection.close(CloseCode.SUBPROTOCOL, "the subprotocol is " + SUBPROTOCOL);
    }
  }

  private void left(Connection connection) {
    connections.remove(connection);
    services.meters().socketClosed();
    tellWhenEmpty();
  }

  /// Takes no socket and no request any more, lets those under way be answered, then tells
  /// clients, some at a time, to come back to another node. Done when all have left; never
  /// fails, and takes 8 s and a closing handshake at most.
  public Future<Void> drain() {
    draining = true;
    long closesLimitMs = limits.closeTimeout().toMillis() + CLOSES_GRACE_MS;
    return Future.join(connections.stream().map(Connection::finish).toList())
        .timeout(ANSWERS_LIMIT_MS, TimeUnit.MILLISECONDS)
        .transform(
            _ -> sayGoodbye(new ArrayDeque<>(connections), CloseCode.GOING_AWAY, "going away"))
        .compose(_ -> allLeft().timeout(closesLimitMs, TimeUnit.MILLISECONDS))
        .otherwiseEmpty();
  }

  /// Sends away, some at a time, the clients that know positions of an older epoch, to come back
  /// and compare.
  void resync(Epoch epoch) {
    Queue<Connection> outlived = new ArrayDeque<>(connections);
    outlived.removeIf(connection -> !connection.isStaleUnder(epoch));
    sayGoodbye(outlived, CloseCode.RESYNC, "the epoch is " + epoch);
  }

  /// Sends all away, some at a time: this node is cut off.
  public void sendAway() {
    sayGoodbye(new ArrayDeque<>(connections), CloseCode.GOING_AWAY, "cut off");
  }

  private Future<Void> sayGoodbye(Queue<Connection> rest, CloseCode code, String reason) {
    for (int i = 0; i < GOODBYES && !rest.isEmpty(); i++) {
      rest.remove().close(code, reason);
    }
    return rest.isEmpty()
        ? Future.succeededFuture()
        : vertx
            .timer(GOODBYES_PAUSE_MS, TimeUnit.MILLISECONDS)
            .compose(_ -> sayGoodbye(rest, code, reason));
  }

  private Future<Void> allLeft() {
    tellWhenEmpty();
    return lastLeft.future();
  }

  private void tellWhenEmpty() {
    if (draining && connections.isEmpty()) {
      lastLeft.tryComplete();
    }
  }

  /// Closes every connection at once.
  public Future<Void> close() {
    Guarded.each(List.copyOf(connections), c -> c.close(CloseCode.GOING_AWAY, "going away"));
    encoder.close();
    return vertx.timer(1, TimeUnit.MILLISECONDS).mapEmpty();
  }
}
