package io.confab.operator;

import io.confab.config.Config;
import io.confab.listener.AnswerHeaders;
import io.confab.listener.TakenPort;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The management port: `/health/live`, `/health/ready`, `/metrics`, and `POST /manage/<command>`
/// for the command line beside a running node, which finds port and secret in the data folder.
public final class ManagementServer {
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final Config.Management config;
  private final Path dataDir;
  private final ManagementFile template;
  private final HttpServer server;

  /// @param dataDir locked by this node; its `management.json` is written and removed here
  /// @param metrics the text for Prometheus
  /// @param commands by name, such as `account.create`
  public ManagementServer(
      Vertx vertx,
      Config.Management config,
      Path dataDir,
      Readiness readiness,
      Supplier<String> metrics,
      Map<String, ManagementCommand> commands) {
    this.vertx = vertx;
    this.config = config;
    this.dataDir = dataDir;
    this.template = ManagementFile.create(reachable(config.host()), 0, new SecureRandom());
    var routes = new ManagementRoutes(readiness, metrics, commands, template.secret());
    AnswerHeaders headers = new AnswerHeaders();
    this.server =
        vertx
            .createHttpServer(options())
            .connectionHandler(headers::addTo)
            .requestHandler(routes.router(vertx));
  }

  /// Listens, then writes `management.json`; answers the port.
  public Future<Integer> start() {
    return TakenPort.explain(
            server.listen(config.port(), config.host()),
            config.host(),
            config.port(),
            "management.port")
        .compose(listening -> writeFile(listening.actualPort()).map(listening.actualPort()));
  }

  public Future<Void> close() {
    return vertx
        .<Void>executeBlocking(
            () -> {
              ManagementFile.remove(dataDir);
              return null;
            })
        .eventually(server::close);
  }

  private Future<Void> writeFile(int port) {
    return vertx.executeBlocking(
        () -> {
          new ManagementFile(template.host(), port, template.secret()).write(dataDir);
          return null;
        });
  }

  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setIdleTimeout((int) IDLE_TIMEOUT.toSeconds())
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setHttp2ClearTextEnabled(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false);
  }

  /// Where the machine itself reaches a listener on `host`.
  private static String reachable(String host) {
    return switch (host) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> host;
    };
  }
}
