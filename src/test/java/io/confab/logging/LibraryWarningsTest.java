package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/// What libraries warn of is told on the screen of a chat too, so what concerns nobody is not.
@ExtendWith(VertxExtension.class)
@Timeout(60)
class LibraryWarningsTest {
  @Test
  void aServerThatEndsConnectionsBeforeItAnswersIsNone(Vertx vertx) throws IOException {
    Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    all.addAppender(told);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> accepting = CompletableFuture.runAsync(() -> accept(server));
      WebSocketClient client = vertx.createWebSocketClient();
      boolean opened =
          Futures.get(
              client
                  .connect(server.getLocalPort(), "127.0.0.1", "/v1/socket")
                  .map(true)
                  .otherwise(false));
      assertThat(opened).isFalse();
      accepting.join();
      Futures.get(client.close());
    } finally {
      all.detachAppender(told);
    }
    assertThat(told.list)
        .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .extracting(ILoggingEvent::getLoggerName)
        .noneMatch(name -> name.startsWith("io.vertx.core.http"));
  }

  private static void accept(ServerSocket server) {
    try {
      server.accept().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
