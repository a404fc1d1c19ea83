package io.confab.edge;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.http.HttpApi;
import io.confab.http.PublicListener;
import io.confab.socket.SocketEdge;
import io.confab.socket.SocketEndpoint;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/// Listens on the public port on one event loop and serves what the node's roles say: sockets,
/// the API, or both.
public final class EdgeVerticle extends VerticleBase {
  private static final int NOT_FOUND = 404;
  private static final int ANY_SHARED_PORT = -1;

  private final SocketEdge edge;
  private final Config config;
  private final IntConsumer answered;
  private List<SocketEndpoint> endpoints = List.of();
  private int port;

  /// @param answered is told the HTTP status of every answer
  public EdgeVerticle(SocketEdge edge, IntConsumer answered) {
    this.edge = edge;
    this.config = edge.config();
    this.answered = answered;
  }

  @Override
  public Future<?> start() {
    Set<NodeRole> roles = config.node().roles();
    HttpServer server =
        vertx.createHttpServer(
            PublicListener.options(config)
                .setPort(sharedPort())
                .setWebSocketSubProtocols(List.of(SocketEndpoint.SUBPROTOCOL)));
    if (roles.contains(NodeRole.SOCKETS)) {
      SocketEndpoint endpoint = edge.endpoint(vertx);
      endpoints = List.of(endpoint);
      server.webSocketHandshakeHandler(endpoint::handshake);
      server.webSocketHandler(_ -> {});
    }
    if (roles.contains(NodeRole.HTTP)) {
      server.requestHandler(new HttpApi(vertx, edge.bus(), config, answered).router());
    } else {
      server.requestHandler(request -> request.response().setStatusCode(NOT_FOUND).end());
    }
    return server.listen().onSuccess(listening -> port = listening.actualPort());
  }

  /// For Vert.x a negative port is any port that is free, the same for all loops.
  private int sharedPort() {
    return config.http().port() == 0 ? ANY_SHARED_PORT : config.http().port();
  }

  /// The port that it listens on, once it is started.
  public int port() {
    return port;
  }

  @Override
  public Future<?> stop() {
    return Future.all(endpoints.stream().map(SocketEndpoint::close).toList());
  }
}
