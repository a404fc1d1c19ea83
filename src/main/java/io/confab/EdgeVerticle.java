package io.confab;

import io.confab.account.Passwords;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.config.NodeRole;
import io.confab.http.AnswerWatch;
import io.confab.http.HttpApi;
import io.confab.http.MalformedRequests;
import io.confab.listener.ConnectionPipeline;
import io.confab.listener.PublicListener;
import io.confab.listener.RequestDeadline;
import io.confab.listener.ServerCertificate;
import io.confab.listener.TakenPort;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.confab.socket.SocketEdge;
import io.confab.socket.SocketEndpoint;
import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Listens on the public port on one event loop and serves what the node's roles say: sockets,
/// the API, or both.
public final class EdgeVerticle extends VerticleBase {
  private static final long REQUESTS_LIMIT_S = 3;
  private static final int NOT_FOUND = 404;

  private final SocketEdge edge;
  private final Config config;
  private final Optional<ServerCertificate> certificate;
  private final Passwords passwords;
  private final AnswerWatch watch;
  private List<SocketEndpoint> endpoints = List.of();
  private List<HttpServer> servers = List.of();
  private int port;

  /// @param certificate where this node itself speaks TLS
  /// @param watch hears of the answers of the API
  public EdgeVerticle(
      SocketEdge edge,
      Optional<ServerCertificate> certificate,
      Passwords passwords,
      AnswerWatch watch) {
    this.edge = edge;
    this.passwords = passwords;
    this.certificate = certificate;
    this.config = edge.config();
    this.watch = watch;
  }

  @Override
  public Future<?> start() {
    Set<NodeRole> roles = config.node().roles();
    HttpServer server =
        vertx.createHttpServer(
            PublicListener.options(config, certificate)
                .setWebSocketSubProtocols(List.of(SocketEndpoint.SUBPROTOCOL)));
    RequestDeadline deadline = new RequestDeadline(config.http(), System::nanoTime);
    Moments.periodic(vertx, RequestDeadline.SWEEP, deadline::sweep);
    ConnectionPipeline pipeline =
        new ConnectionPipeline(
            config, MemoryShares.ofProcess().unfinishedRequests() / config.http().loops());
    server.connectionHandler(
        connection -> {
          pipeline.prepare(connection);
          deadline.opened(connection);
        });
    server.invalidRequestHandler(new MalformedRequests(edge.limits(), watch.access()));
    if (roles.contains(NodeRole.SOCKETS)) {
      SocketEndpoint endpoint = edge.endpoint(vertx);
      endpoints = List.of(endpoint);
      server.webSocketHandshakeHandler(endpoint::handshake);
      // The endpoint wires each socket once it is accepted.
      server.webSocketHandler(socket -> deadline.upgraded(socket.remoteAddress()));
    }
    Handler<HttpServerRequest> requests =
        roles.contains(NodeRole.HTTP)
            ? api().router()
            : request -> request.response().setStatusCode(NOT_FOUND).end();
    server.requestHandler(
        request -> {
          deadline.received(request);
          requests.handle(request);
        });
    servers = List.of(server);
    return TakenPort.explain(
            server.listen(), config.http().host(), config.http().port(), "http.port")
        .onSuccess(listening -> port = listening.actualPort());
  }

  private HttpApi api() {
    Seating seating = Seating.asking(edge.bus());
    MessageRequests messages =
        new MessageRequests(edge.bus(), edge.limits().limits(), edge.meters(), seating);
    return new HttpApi(
        vertx, edge.bus(), config, edge.limits(), messages, seating, passwords, watch);
  }

  /// The port that it listens on, once it is started.
  public int port() {
    return port;
  }

  /// Shows another certificate to new connections; open ones stay as they are.
  public Future<Void> show(ServerCertificate other) {
    return Future.join(servers.stream().map(s -> s.updateSSLOptions(other.options())).toList())
        .mapEmpty();
  }

  /// Closes all sockets so that clients reconnect elsewhere. For any thread.
  public void sendAway() {
    context.runOnContext(_ -> endpoints.forEach(SocketEndpoint::sendAway));
  }

  /// Finishes the requests under way and lets all clients leave; accepts no new ones meanwhile.
  /// Bounded in time. For any thread.
  public Future<Void> drain() {
    Promise<Void> drained = Promise.promise();
    context.runOnContext(
        _ ->
            Future.join(endpoints.stream().map(SocketEndpoint::drain).toList())
                .eventually(this::finishRequests)
                .<Void>mapEmpty()
                .onComplete(drained));
    return drained.future();
  }

  private Future<?> finishRequests() {
    return Future.join(
        servers.stream().map(s -> s.shutdown(REQUESTS_LIMIT_S, TimeUnit.SECONDS)).toList());
  }

  @Override
  public Future<?> stop() {
    return Future.all(endpoints.stream().map(SocketEndpoint::close).toList());
  }
}
