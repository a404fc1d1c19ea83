package io.confab.listener;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.BindException;

/// Names the port that cannot be listened on, and its key in the configuration.
public final class TakenPort {
  private TakenPort() {}

  /// The same future; a failure to listen becomes a message that an operator can act on.
  ///
  /// @param key of the port, such as `http.port`
  public static Future<HttpServer> explain(
      Future<HttpServer> listening, String host, int port, String key) {
    return listening.recover(
        failure ->
            Future.failedFuture(
                failure instanceof IOException ? named(failure, host, port, key) : failure));
  }

  private static IOException named(Throwable failure, String host, int port, String key) {
    IOException named =
        new BindException(
            "Cannot listen on port %d of %s (%s): %s"
                .formatted(port, host, key, failure.getMessage()));
    named.initCause(failure);
    return named;
  }
}
