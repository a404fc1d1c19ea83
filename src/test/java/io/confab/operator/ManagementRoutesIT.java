package io.confab.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// From where commands are taken, by callers who know the secret.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class ManagementRoutesIT {
  /// A request that seems to come from there.
  private static HttpServerRequest from(String caller, HttpServerRequest request) {
    return new HttpServerRequestWrapper((HttpServerRequestInternal) request) {
      @Override
      public SocketAddress remoteAddress() {
        return SocketAddress.inetSocketAddress(40_000, caller);
      }
    };
  }

  private static int status(Vertx vertx, String caller) {
    ManagementRoutes routes =
        new ManagementRoutes(
            new Readiness(List.of(), Duration.ofSeconds(1)),
            () -> "",
            Map.of("echo", Future::succeededFuture),
            "secret");
    Router router = routes.router(vertx);
    HttpServer server =
        Futures.get(
            vertx
                .createHttpServer()
                .requestHandler(request -> router.handle(from(caller, request)))
                .listen(0, "127.0.0.1"));
    return Futures.get(
        vertx
            .createHttpClient()
            .request(HttpMethod.POST, server.actualPort(), "127.0.0.1", "/manage/echo")
            .compose(request -> request.putHeader("authorization", "Bearer secret").send("{}"))
            .map(answer -> answer.statusCode()));
  }

  @Test
  void onlyCallersOnThisMachineCommand(Vertx vertx) {
    for (String near : List.of("127.0.0.1", "127.9.9.9", "::1")) {
      assertThat(status(vertx, near)).as(near).isEqualTo(200);
    }
    for (String far : List.of("192.0.2.2", "10.0.0.1", "128.0.0.1", "2001:db8::1", "::2")) {
      assertThat(status(vertx, far)).as(far).isEqualTo(401);
    }
  }
}
