package io.confab.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class ExportReaderIT {
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /// For what is not waited for here; a machine may stand still for longer than the above.
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final String LAST = "{\"end\":true,\"count\":20000,\"epoch\":1,\"rev\":20000}\n";

  private final Vertx vertx;

  ExportReaderIT(Vertx vertx) {
    this.vertx = vertx;
  }

  /// @param begin how long the server may take to begin
  private Future<ExportEnd> export(
      Duration begin, Consumer<HttpServerResponse> answer, LineSink sink) {
    HttpServer server =
        get(
            vertx
                .createHttpServer()
                .requestHandler(request -> answer.accept(request.response()))
                .listen(0, "127.0.0.1"));
    Addresses addresses =
        new Addresses(List.of(URI.create("http://127.0.0.1:" + server.actualPort())));
    return new HttpCalls(vertx, addresses, begin)
        .ask(HttpAsk.stream("/export"), null, new ExportReader(sink, SILENCE)::read);
  }

  @Test
  void aReaderMayTakeLongerThanAServerMayBeSilent() {
    String lines = ("{\"body\":\"" + "x".repeat(100) + "\"}\n").repeat(20_000);
    AtomicInteger taken = new AtomicInteger();

    ExportEnd end =
        get(
            export(
                LONG,
                response -> response.end(lines + LAST),
                _ -> taken.incrementAndGet() == 10_000 ? later() : Future.succeededFuture()));

    assertThat(end.count()).isEqualTo(20_000);
    assertThat(taken).hasValue(20_001);
  }

  /// A person looks at a page of it for a while.
  private Future<Void> later() {
    Promise<Void> looked = Promise.promise();
    vertx.setTimer(SILENCE.multipliedBy(4).toMillis(), _ -> looked.complete());
    return looked.future();
  }

  @Test
  void aServerThatFallsSilentInTheMiddleIsGivenUp() {
    Future<ExportEnd> export =
        export(
            LONG,
            response -> response.setChunked(true).write("{\"body\":\"one\"}\n"),
            _ -> Future.succeededFuture());

    assertThatThrownBy(() -> get(export))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("fell silent");
  }

  @Test
  void aServerThatDoesNotBeginIsGivenUp() {
    assertThatThrownBy(() -> get(export(SILENCE, _ -> {}, _ -> Future.succeededFuture())))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("unreachable");
  }
}
