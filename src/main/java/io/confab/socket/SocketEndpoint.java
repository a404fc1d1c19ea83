package io.confab.socket;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticate;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.CloseCode;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final Vertx vertx;
  private final SocketServices services;
  private final FrameEncoder encoder = new FrameEncoder();
  private final Flushes flushes;
  private final Map<Session, SocketChannel> sessions = new LinkedHashMap<>();

  SocketEndpoint(Vertx vertx, SocketServices services) {
    this.vertx = vertx;
    this.services = services;
    this.flushes = new Flushes(vertx.getOrCreateContext());
    vertx.setPeriodic(SWEEP_MS, _ -> sweep());
  }

  /// Answers an upgrade: 404 off the path, 401 for a bad bearer token, else a session.
  public void handshake(ServerWebSocketHandshake handshake) {
    if (!PATH.equals(handshake.path())) {
      handshake.reject(404);
      return;
    }
    String authorization = handshake.headers().get(HttpHeaders.AUTHORIZATION);
    authenticate(authorization)
        .onSuccess(caller -> handshake.accept().onSuccess(socket -> opened(socket, caller)))
        .onFailure(_ -> handshake.reject(401));
  }

  private Future<Optional<Authenticated>> authenticate(String authorization) {
    if (authorization == null) {
      return Future.succeededFuture(Optional.empty());
    }
    if (!authorization.startsWith(BEARER)) {
      return Future.failedFuture("not a bearer token");
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
    sessions.put(session, channel);
    services.meters().socketOpened();
    Inbox inbox = new Inbox(socket, session, services.config().sockets().requests());
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
    services.meters().socketClosed();
  }

  private void beat(Session session) {
    session.liveness().beat(services.nanoTime().getAsLong());
  }

  private void sweep() {
    long now = services.nanoTime().getAsLong();
    for (Map.Entry<Session, SocketChannel> entry : List.copyOf(sessions.entrySet())) {
      Session session = entry.getKey();
      switch (session.liveness().judge(now, session.isGreeted())) {
        case FINE -> {}
        case PING -> entry.getValue().ping();
        case DEAD -> session.close(CloseCode.NO_BEAT, "no beat");
        case STRANGER -> session.close(CloseCode.AUTHENTICATE, "no hello in time");
      }
    }
  }

  /// Closes every session, telling clients to come back to another node.
  public Future<Void> close() {
    List.copyOf(sessions.keySet()).forEach(s -> s.close(CloseCode.GOING_AWAY, "going away"));
    encoder.close();
    return vertx.timer(1, TimeUnit.MILLISECONDS).mapEmpty();
  }
}
