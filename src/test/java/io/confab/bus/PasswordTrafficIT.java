package io.confab.bus;

import static io.confab.account.AccountServer.person;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Every call that carries a password, over the real API and the real accounts: what the bus
/// carries between them is written as if it went to another node, and searched.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PasswordTrafficIT {
  private static final String FIRST = "canary-first-4711";
  private static final String WRONG = "canary-wrong-4712";
  private static final String NEXT = "canary-next-4713";
  private static final String BULK = "canary-bulk-4714";
  private static final String[] NOBODY = {"accept", "*/*"};

  private final RecordCodec codec = new RecordCodec();
  private final List<String> carried = new CopyOnWriteArrayList<>();

  private void listen(Vertx vertx) {
    vertx
        .eventBus()
        .addOutboundInterceptor(
            (DeliveryContext<Envelope> delivery) -> {
              Buffer written = Buffer.buffer();
              codec.encode(written, delivery.message().body().content());
              carried.add(written.toString(StandardCharsets.UTF_8));
              delivery.next();
            });
  }

  @Test
  void noPasswordGoesOverTheBus(Vertx vertx) {
    listen(vertx);
    try (AccountServer server = new AccountServer(vertx)) {
      server.call(201, "POST", "/v1/accounts", person("ada", FIRST), NOBODY);
      server.call(401, "POST", "/v1/tokens", person("ada", WRONG), NOBODY);
      String token =
          server
              .call(200, "POST", "/v1/tokens", person("ada", FIRST), NOBODY)
              .getString("access_token");
      String[] ada = {"authorization", "Bearer " + token};
      JsonObject wrong = new JsonObject().put("old", WRONG).put("new", NEXT);
      server.call(400, "PUT", "/v1/me/password", wrong, ada);
      JsonObject change = new JsonObject().put("old", FIRST).put("new", NEXT);
      server.call(204, "PUT", "/v1/me/password", change, ada);
      server.call(401, "POST", "/v1/tokens", person("ada", FIRST), NOBODY);
      server.call(200, "POST", "/v1/tokens", person("ada", NEXT), NOBODY);
      server.call(
          200,
          "POST",
          "/v1/admin/accounts",
          new JsonObject().put("accounts", List.of(person("bob", BULK))),
          "authorization",
          "Key " + AccountServer.API_KEY);
    }

    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$SignUp"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$SignIn"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$ChangePassword"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$CreateAccounts"));
    assertThat(carried).noneMatch(message -> message.contains("canary"));
    assertThat(carried.stream().filter(message -> message.contains("\"password\":{\"phc\"")))
        .as("a hash goes over the bus where a password is new, and in no other message")
        .hasSize(2);
  }
}
