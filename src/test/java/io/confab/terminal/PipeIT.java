package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ConfabApi;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.confab.screen.PlainScreen;
import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Lines that are piped into a room which is, or gets, sealed.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PipeIT {
  private static final AccountId ANN = AccountId.parse("0000000000ann");

  private final StringWriter out = new StringWriter();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final ConfabApi api;
  private volatile boolean refuses;

  PipeIT(Vertx vertx) {
    CredentialStore store = CredentialStore.memory();
    Futures.get(
        store.save(
            new Credentials(ANN, new DeviceId("d"), new Secret("access"), new Secret("refresh"))));
    int port =
        Futures.get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"))
            .actualPort();
    api = new ConfabApi(vertx, List.of(URI.create("http://127.0.0.1:" + port)), store);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void answer(HttpServerRequest request) {
    JsonObject room =
        new JsonObject()
            .put("room_id", MuteServer.ROOM)
            .put("type", "group")
            .put("name", "team")
            .put("member_count", 2)
            .put("epoch", 1)
            .put("seq", 1)
            .put("rev", 1);
    if (request.method().equals(HttpMethod.GET)) {
      request.response().end(new JsonObject().put("rooms", new JsonArray().add(room)).encode());
      return;
    }
    request
        .body()
        .onSuccess(
            body -> {
              asked.add(request.method() + " " + body);
              if (refuses) {
                JsonObject error =
                    new JsonObject().put("code", "encrypted").put("message", "it is sealed");
                request.response().setStatusCode(409);
                request.response().end(new JsonObject().put("error", error).encode());
              } else {
                request.response().setStatusCode(201);
                request.response().end(room.put("client_id", "c").put("ts", 1).encode());
              }
            });
  }

  private boolean pipe(String lines) throws Exception {
    return new Pipe(
            api,
            ANN,
            new PlainScreen(new PrintWriter(out), false),
            new BufferedReader(new StringReader(lines)),
            Duration.ofSeconds(10))
        .run("team");
  }

  @Test
  void nothingIsSealedByAProgramThatCannotReadIt() throws Exception {
    assertThat(pipe("/seal yes\nhello\n")).isFalse();

    assertThat(asked).singleElement().asString().startsWith("POST").contains("hello");
    assertThat(out.toString()).contains("✗ sealed rooms need a window");
  }

  @Test
  void whatFollowsOneThatARoomTookForSealedIsNotHandedOut() throws Exception {
    refuses = true;
    assertThat(pipe("one\ntwo\n")).isFalse();

    assertThat(asked).hasSize(1);
    assertThat(out.toString()).contains("was sealed", "✗ not sent: one");
  }
}
