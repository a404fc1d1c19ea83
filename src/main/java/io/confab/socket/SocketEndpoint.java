package io.confab.socket;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticate;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Takes WebSocket upgrades on one event loop, wires each socket to a session, and looks after
/// all of them once a second. Belongs to its loop.
public final class SocketEndpoint {
  public static final String PATH = "/v1/socket";
  public static final String SUBPROTOCOL = "confab.v1";
  private static final String BEARER = "Bearer ";
  private static final long SWEEP_MS = 1_000;
  private static final int RECONNECT_SPREAD_MS = 5_000;
  private static final long ANSWERS_LIMIT_MS = 8_000;
  private static final long CLOSES_LIMIT_MS = 2_000;
  private static final int GOODBYES = 500;
  private static final long GOODBYES_PAUSE_MS = 10;

  private final Vertx vertx;
  private final SocketServices services;
  private final FrameEncoder encoder = new FrameEncoder();
  private final Flushes flushes;
  private final Map<Session, Line> sessions = new LinkedHashMap<>();
  private final Promise<Void> lastLeft = Promise.promise();
  private boolean draining;

  /// What hangs on a session's socket.
  private record Line(SocketChannel channel, Inbox inbox) {}

  SocketEndpoint(Vertx vertx, SocketServices services) {
    this.vertx = vertx;
    this.services = services;
    this.flushes = new Flushes(vertx.getOrCreateContext());
    vertx.setPeriodic(SWEEP_MS, _ -> sweep());
  }

  /// Answers an upgrade: 404 off the path, 401 for a bad bearer token, 503 while draining or
  /// while nobody can say whether the token is good, else a session.
  public void handshake(ServerWebSocketHandshake handshake) {
    if (draining) {
      handshake.reject(503);
      return;
    }
    if (!PATH.equals(handshake.path())) {
      handshake.reject(404);
      return;
    }
    String authorization = handshake.headers().get(HttpHeaders.AUTHORIZATION);
    authenticate(authorization)
        .onSuccess(caller -> handshake.accept().onSuccess(socket -> opened(socket, caller)))
        .onFailure(failure -> handshake.reject(Refusals.of(failure).code().httpStatus()));
  }

  private Future<Optional<Authenticated>> authenticate(String authorization) {
    if (authorization == null) {
      return Future.succeededFuture(Optional.empty());
    }
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "not a bearer token"));
    }
    Secret token = new Secret(authorization.substring(BEARER.length()));
    return services
        .bus()
        .request(AccountCommand.ADDRESS, Lane.of(token.hashCode()), new Authenticate(token))
        .map(Optional::of);
  }

  private void opened(ServerWebSocket socket, Optional<Authenticated> bearer) {
    SocketChannel channel =
        new SocketChannel(
            socket,
            encoder,
            flushes,
            services.meters(),
            services.config().sockets().queueBytes(),
            () -> ThreadLocalRandom.current().nextLong(RECONNECT_SPREAD_MS));
    SessionId id = new SessionId(UUID.randomUUID().toString());
    Session session = new Session(id, services, channel, bearer);
    services.meters().socketOpened();
    Inbox inbox = new Inbox(socket, session, channel, services.config().sockets().requests());
    sessions.put(session, new Line(channel, inbox));
    socket.textMessageHandler(
        text -> {
          beat(session);
          services.meters().frameIn();
          inbox.text(text);
        });
    socket.binaryMessageHandler(_ -> session.close(CloseCode.PROTOCOL, "binary frame"));
    socket.pongHandler(_ -> beat(session));
    socket.exceptionHandler(_ -> socket.close());
    socket.closeHandler(_ -> closed(session, channel));
    if (!SUBPROTOCOL.equals(socket.subProtocol())) {
      session.close(CloseCode.SUBPROTOCOL, "the subprotocol is " + SUBPROTOCOL);
    }
  }

  private void closed(Session session, SocketChannel channel) {
    channel.gone();
    session.closed();
    sessions.remove(session);
    tellWhenEmpty();
    services.meters().socketClosed();
  }

  private void beat(Session session) {
    session.liveness().beat(services.nanoTime().getAsLong());
  }

  private void sweep() {
    long now = services.nanoTime().getAsLong();
    for (Map.Entry<Session, Line> entry : List.copyOf(sessions.entrySet())) {
      Session session = entry.getKey();
      if (entry.getValue().channel().isStalled(now)) {
        session.close(CloseCode.TOO_SLOW, "takes nothing");
        continue;
      }
      switch (session.liveness().judge(now, session.isGreeted())) {
        case FINE -> {}
        case PING -> entry.getValue().channel().ping();
        case DEAD -> session.close(CloseCode.NO_BEAT, "no beat");
        case STRANGER -> session.close(CloseCode.AUTHENTICATE, "no hello in time");
      }
    }
  }

  /// Takes no socket and no request any more, lets those under way be answered, then tells
  /// clients, some at a time, to come back to another node. Done when all have left; never
  /// fails, and takes little more than 10 s.
  public Future<Void> drain() {
    draining = true;
    return Future.join(sessions.values().stream().map(line -> line.inbox().finish()).toList())
        .timeout(ANSWERS_LIMIT_MS, TimeUnit.MILLISECONDS)
        .transform(_ -> sayGoodbye(new ArrayDeque<>(sessions.keySet())))
        .compose(_ -> allLeft().timeout(CLOSES_LIMIT_MS, TimeUnit.MILLISECONDS))
        .otherwiseEmpty();
  }

  private Future<Void> sayGoodbye(Queue<Session> rest) {
    for (int i = 0; i < GOODBYES && !rest.isEmpty(); i++) {
      rest.remove().close(CloseCode.GOING_AWAY, "going away");
    }
    return rest.isEmpty()
        ? Future.succeededFuture()
        : vertx.timer(GOODBYES_PAUSE_MS, TimeUnit.MILLISECONDS).compose(_ -> sayGoodbye(rest));
  }

  private Future<Void> allLeft() {
    tellWhenEmpty();
    return lastLeft.future();
  }

  private void tellWhenEmpty() {
    if (draining && sessions.isEmpty()) {
      lastLeft.tryComplete();
    }
  }

  /// Closes every session at once.
  public Future<Void> close() {
    List.copyOf(sessions.keySet()).forEach(s -> s.close(CloseCode.GOING_AWAY, "going away"));
    encoder.close();
    return vertx.timer(1, TimeUnit.MILLISECONDS).mapEmpty();
  }
}
