package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.ApiException;
import io.confab.demo.World;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.screen.PlainScreen;
import io.confab.testing.Futures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The demo world where its building ended early.
@Timeout(240)
class WorldIT {
  private Nodes nodes;
  private HttpClient onward;

  @BeforeEach
  void start() {
    nodes = Nodes.start(1);
    onward = nodes.vertx().createHttpClient();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private World world(int port) {
    return new World(
        nodes.vertx(),
        List.of(URI.create("http://127.0.0.1:" + port)),
        new PlainScreen(new PrintWriter(new StringWriter()), false));
  }

  /// A way to the node on which requests of this method are refused for good.
  private int wayWithout(HttpMethod refused) {
    HttpServer way =
        Futures.get(
            nodes
                .vertx()
                .createHttpServer()
                .requestHandler(
                    request -> {
                      if (request.method().equals(refused) && isOfMessage(request)) {
                        request.response().setStatusCode(403).end();
                      } else {
                        request.body().onSuccess(body -> pass(request, body));
                      }
                    })
                .listen(0, "127.0.0.1"));
    return way.actualPort();
  }

  private static boolean isOfMessage(HttpServerRequest request) {
    return request.path().contains("/messages/");
  }

  private void pass(HttpServerRequest request, Buffer body) {
    onward
        .request(request.method(), nodes.port(0), "127.0.0.1", request.uri())
        .compose(
            asked -> {
              request.headers().remove("host");
              asked.headers().addAll(request.headers());
              return asked.send(body);
            })
        .compose(answer -> answer.body().map(text -> new Answered(answer.statusCode(), text)))
        .onSuccess(
            answered -> request.response().setStatusCode(answered.status()).end(answered.body()));
  }

  private record Answered(int status, Buffer body) {}

  @Test
  void theNextRunMakesTheEditsAndDeletionsThatAnEarlierOneDidNotComeTo(@TempDir Path folder)
      throws Exception {
    int withoutEdits = wayWithout(HttpMethod.PATCH);
    assertThatThrownBy(() -> world(withoutEdits).build()).isInstanceOf(ApiException.class);
    int withoutDeletions = wayWithout(HttpMethod.DELETE);
    assertThatThrownBy(() -> world(withoutDeletions).build()).isInstanceOf(ApiException.class);

    world(nodes.port(0)).build();

    Terminal ada = new Terminal(folder, "http://127.0.0.1:" + nodes.port(0));
    assertThat(exported(ada, "lobby"))
        .anyMatch(line -> line.contains("and the questions at the end"));
    assertThat(exported(ada, "support")).anyMatch(line -> line.contains("\"deleted_at\""));
  }

  private static List<String> exported(Terminal ada, String room) {
    String password = World.PASSWORD + "\n";
    return ada.run(password, "export", "--as", "ada", "--room", room, "--password-stdin")
        .out()
        .lines()
        .toList();
  }
}
