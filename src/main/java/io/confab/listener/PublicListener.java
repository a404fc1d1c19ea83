package io.confab.listener;

import io.confab.config.Config;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetServerOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// How the public listener for API and sockets speaks HTTP and WebSocket.
public final class PublicListener {
  private static final int REQUEST_LINE_BYTES = 8_192;
  private static final int HEADER_BYTES = 16_384;

  private static final int ANY_SHARED_PORT = -1;

  private PublicListener() {}

  /// Options of the server, address and port included. Vert.x compresses WebSocket messages
  /// (a small frame can inflate to any size), speaks clear-text HTTP/2 and never closes an idle
  /// connection unless configured otherwise. The strict thread mode saves an idle connection a
  /// queue; it requires that the server listens from a verticle on an event loop.
  ///
  /// @param certificate where this listener speaks TLS; then 1.2 or 1.3, and HTTP/1.1
  public static HttpServerOptions options(Config config, Optional<ServerCertificate> certificate) {
    HttpServerOptions options = clearText(config);
    certificate.ifPresent(
        shown -> {
          ServerCertificate.CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
          options
              .setSsl(true)
              .setKeyCertOptions(shown.pem().copy())
              .setEnabledSecureTransportProtocols(ServerCertificate.PROTOCOLS)
              .setAlpnVersions(List.of(HttpVersion.HTTP_1_1))
              .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
              .setSslHandshakeTimeout(config.http().requestTimeout().toMillis());
        });
    return options;
  }

  /// Whether a server with these options listens at the public port.
  static boolean isAt(Config.Http config, NetServerOptions options) {
    return options.getPort() == port(config) && options.getHost().equals(config.host());
  }

  /// For Vert.x a negative port is any free port, the same for all loops.
  private static int port(Config.Http config) {
    return config.port() == 0 ? ANY_SHARED_PORT : config.port();
  }

  private static HttpServerOptions clearText(Config config) {
    int frameBytes = config.sockets().frameBytes();
    return new HttpServerOptions()
        .setHost(config.http().host())
        .setPort(port(config.http()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout(Math.toIntExact(config.http().idleTimeout().toMillis()))
        .setHttp2ClearTextEnabled(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setMaxWebSocketFrameSize(frameBytes)
        .setMaxWebSocketMessageSize(frameBytes)
        .setMaxInitialLineLength(REQUEST_LINE_BYTES)
        .setMaxHeaderSize(HEADER_BYTES)
        .setDecompressionSupported(false)
        .setStrictThreadMode(true);
  }
}
