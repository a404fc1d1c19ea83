package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.config.LoadedConfig;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Plants secrets and what people say everywhere, and looks for them in all that a node puts out,
/// at the most talkative, in good times and in bad ones.
@ExtendWith(VertxExtension.class)
@Timeout(300)
class CanaryIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String DATABASE = "canary-database";
  private static final String PASSWORD = "canary-password";
  private static final String BODY = "canary-body";
  private static final String TOKEN = "canary-token";
  private static final String BROKEN = "canary-broken";
  private static final String KEY = "canary-key";

  private final Vertx vertx;
  private final Map<String, String> outputs = new TreeMap<>();
  private final List<String> secrets =
      new ArrayList<>(List.of(DATABASE, PASSWORD, BODY, TOKEN, BROKEN, KEY));

  CanaryIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @Test
  void noSecretAndNothingThatIsSaidIsPutOut(@TempDir Path folder) throws Exception {
    try (OwnPostgres postgres = new OwnPostgres();
        OwnRedis redis = OwnRedis.start()) {
      Map<String, String> variables = variables(postgres, redis);
      check(variables);
      NodeProcess node = NodeProcess.start(folder, 0, NodeProcess.patient(variables));
      try {
        talk(node);
        outputs.put("metrics", node.management("/metrics"));
        postgres.stop();
        redis.kill();
        await().until(() -> node.failing().contains("postgresql"));
        refuse(node.port());
        outputs.put("health", node.management("/health/ready"));
        node.terminate();
        assertThat(node.exit(PATIENCE)).isPresent();
        outputs.put("log", node.output());
      } finally {
        node.close();
      }
    }

    assertThat(outputs.get("log")).contains("Starting node").hasSizeGreaterThan(200);
    assertThat(outputs)
        .allSatisfy((where, text) -> assertThat(secrets).as(where).noneMatch(text::contains));
  }

  private Map<String, String> variables(OwnPostgres postgres, OwnRedis redis) {
    var url = postgres.url();
    String password = URI.create(redis.address()).getUserInfo();
    if (password != null) {
      secrets.add(password.substring(password.indexOf(':') + 1));
    }
    return Map.of(
        "CONFAB_POSTGRES_URL",
        "postgresql://%s:%s@%s:%d/%s"
            .formatted(url.user(), DATABASE, url.host(), url.port(), url.database()),
        "CONFAB_REDIS_URL",
        redis.address(),
        "CONFAB_LOG_LEVEL",
        "DEBUG");
  }

  private void check(Map<String, String> variables) {
    Jar.Result checked = Jar.run(variables, "", List.of("check-config"));
    outputs.put("check-config", checked.out() + checked.err());
    assertThat(checked.exit()).isZero();
    LoadedConfig loaded = new ConfigLoader(variables).load(null, Map.of());
    Config config = loaded.config();
    outputs.put("text forms", List.of(loaded, config, loaded.text()).toString());
    Jar.Result wrong =
        Jar.run(
            Map.of("CONFAB_POSTGRES_URL", "mysql://me:" + DATABASE + "@host"),
            "",
            List.of("check-config"));
    outputs.put("check-config of what is wrong", wrong.out() + wrong.err());
    assertThat(wrong.exit()).isEqualTo(2);
  }

  private void talk(NodeProcess node) throws IOException, InterruptedException {
    int port = node.port();
    Person alice = ApiClient.person(port, "alice", "Alice");
    secrets.add(alice.token());
    String room = alice.at(port).channel("canaries");
    ChatClient client = ChatClient.live(vertx, port, alice.token());
    ChatClient.get(client.send(room, "c1", BODY));
    ChatClient.get(client.edit(room, 1, "c2", BODY + " edited"));
    outputs.put(
        "frames that refuse",
        ChatClient.get(
                client.request(
                    new JsonObject()
                        .put("type", "message.send")
                        .put("room_id", room)
                        .put("client_id", "c3")
                        .put("body", BODY)
                        .put("odd", BODY)))
            .encode());
    keys(alice.at(port), alice.deviceId());
    refuse(port);
  }

  private static void keys(ApiClient alice, String device) {
    JsonObject key = new JsonObject().put("id", "k").put("key", KEY);
    JsonObject upload =
        new JsonObject()
            .put("suite", "olm1")
            .put("identity", KEY)
            .put("fallback_key", key)
            .put("one_time_keys", new JsonArray().add(key));
    alice.ok("PUT", "/v1/me/keys", upload);
    alice.ok("PUT", "/v1/me/vault", new JsonObject().put("vault", KEY));
    JsonObject signed = new JsonObject().put(device, KEY + " signed");
    alice.ok(
        "PUT", "/v1/me/identity", new JsonObject().put("identity", KEY).put("devices", signed));
    alice.ok(
        "POST",
        "/v1/keys/query",
        new JsonObject()
            .put(
                "accounts",
                new JsonArray().add(alice.ok("GET", "/v1/me", null).getString("account_id"))));
    alice.call("PUT", "/v1/me/keys", upload.put("identity", KEY + " of another"));
  }

  /// All that is refused, in good times and while PostgreSQL is away.
  private void refuse(int port) throws IOException, InterruptedException {
    String signIn =
        """
        {"handle":"alice","password":"%s","device":{"name":"d","platform":"p"}}\
        """
            .formatted(PASSWORD);
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String[] call :
          List.of(
              new String[] {"POST", "/v1/tokens", signIn, TOKEN},
              new String[] {"POST", "/v1/tokens", signIn + BROKEN, TOKEN},
              new String[] {"POST", "/v1/tokens", "{\"password\":{\"" + BROKEN + "\":1}}", TOKEN},
              new String[] {"POST", "/v1/accounts", "{\"password\":\"" + PASSWORD + "\"}", TOKEN},
              new String[] {
                "POST", "/v1/tokens/refresh", "{\"refresh_token\":\"" + TOKEN + "\"}", ""
              },
              new String[] {"GET", "/v1/me", "", TOKEN},
              new String[] {"GET", "/v1/rooms?token=" + TOKEN, "", TOKEN},
              new String[] {
                "POST", "/v1/rooms/1/messages", "{\"body\":\"" + BODY + "\"}", TOKEN
              })) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + call[1]))
                .timeout(PATIENCE)
                .header("authorization", "Bearer " + call[3])
                .header("content-type", "application/json")
                .method(call[0], HttpRequest.BodyPublishers.ofString(call[2]))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        outputs.merge(
            "answers that refuse", answer.headers().map() + answer.body(), String::concat);
        assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
      }
    }
  }
}
