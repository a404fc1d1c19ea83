package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessHandle.Info;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What each thing that an account may do costs: the processor time of the node and of its servers,
/// divided by the number of calls, one after another. Run by `scripts/bench-account`; not part of
/// the tests.
@ExtendWith(VertxExtension.class)
@Timeout(1_800)
@SuppressWarnings("NullAway.Init") // by its one test
class AccountCostBench {
  private static final String KEY = "k".repeat(32);
  private static final int CALLS = Integer.getInteger("confab.cost.calls", 900);
  private static final List<String> SECOND_COMPILER = List.of("-XX:TieredStopAtLevel=4");
  private static final int DEAR = Math.max(3, CALLS / 10);
  private static final int FEW = Math.max(3, CALLS / 100);
  private static final int MANY_PEOPLE = 1_000;

  private NodeProcess node;
  private HttpClient http;
  private ApiClient key;
  private Person ada;
  private ApiClient self;
  private final Deque<String> rooms = new ArrayDeque<>();
  private final Deque<String> removable = new ArrayDeque<>();

  @Test
  void measure(Vertx vertx, @TempDir Path data, @TempDir Path nothing) {
    Map<String, String> variables = WithoutLimits.variables();
    variables.put("CONFAB_API_KEY", KEY);
    variables.put("CONFAB_ACCOUNTS_ARGON2_MEMORY_KIB", "19456");
    variables.put("CONFAB_ACCOUNTS_ARGON2_ITERATIONS", "2");
    try (NodeProcess running = NodeProcess.changed(nothing, SECOND_COMPILER, data, 0, variables);
        HttpClient client = HttpClient.newHttpClient()) {
      running.awaitReady();
      http = client;
      node = running;
      key = ApiClient.withHeaders(node.port(), Map.of("authorization", "Key " + KEY));
      ada = ApiClient.person(node.port(), "ada", "Ada");
      self = ada.at(node.port());
      List<String> people = accounts("p", MANY_PEOPLE);
      String group = group("one", people.subList(0, 1));
      String other = people.getFirst();

      cost("answer 404", CALLS, _ -> self.call("GET", "/v1/nothing", null));
      cost("read oneself", CALLS, get("/v1/me"));
      own(other);
      sending(vertx, group);
      reading(group);
      moderation(group, other);
      members(people);
      signingIn(vertx, group);
      administration();
    }
  }

  private void own(String other) {
    cost("ticket", CALLS, i -> post("/v1/tickets", null));
    cost("block, unblock", CALLS, pair("/v1/blocks/" + other, null));
    cost("rename oneself", CALLS, i -> patch("/v1/me", "display_name", "Ada " + i));
    cost("rename a device", CALLS, i -> patch("/v1/devices/" + ada.deviceId(), "name", "n" + i));
    cost("list devices", CALLS, get("/v1/devices"));
    cost("find accounts", CALLS, get("/v1/accounts?handle=p1"));
    cost("search channels", CALLS, get("/v1/channels?query=one"));
  }

  private void sending(Vertx vertx, String group) {
    ChatClient client = ChatClient.live(vertx, node.port(), ada.token());
    cost("ping", CALLS, _ -> client.ask(frame("ping")));
    cost("typing", CALLS, _ -> client.ask(frame("typing").put("room_id", group)));
    cost(
        "send", CALLS, i -> ChatClient.get(client.send(group, "s-" + i, "200 letters".repeat(18))));
    cost("edit", CALLS, i -> ChatClient.get(client.edit(group, 1, "e-" + i, "edited " + i)));
    cost("delete", CALLS, i -> ChatClient.get(client.delete(group, i + 2L)));
    cost(
        "send by HTTP",
        CALLS,
        i ->
            self.ok(
                "POST",
                "/v1/rooms/" + group + "/messages",
                new JsonObject().put("client_id", "h-" + i).put("body", "200 letters".repeat(18))));
    client.cut();
  }

  private void reading(String group) {
    String page = "/v1/rooms/" + group + "/messages?limit=200";
    cost("page of 200", CALLS, get(page));
    cost("page of 200, gzip", CALLS, packed(page));
    String large = group("large", List.of());
    for (int i = 0; i < 20; i++) {
      self.ok(
          "POST",
          "/v1/rooms/" + large + "/messages",
          new JsonObject().put("client_id", "l-" + i).put("body", text(16_000, i)));
    }
    cost("page of 256 KiB", DEAR, get("/v1/rooms/" + large + "/messages?limit=200"));
    cost("page of 256 KiB, gzip", DEAR, packed("/v1/rooms/" + large + "/messages?limit=200"));
    cost("versions", CALLS, get("/v1/rooms/" + group + "/messages/1/versions"));
    cost("audit", CALLS, get("/v1/rooms/" + group + "/audit"));
    cost("list rooms", CALLS, get("/v1/rooms"));
    cost("export", DEAR, _ -> self.text("/v1/rooms/" + group + "/export"));
  }

  private void moderation(String group, String other) {
    String room = "/v1/rooms/" + group;
    cost(
        "mute, unmute",
        CALLS,
        pair(room + "/mutes/" + other, new JsonObject().put("until", 4_000_000_000_000L)));
    cost("give a role", CALLS, i -> put(room + "/members/" + other, "role", role(i)));
    cost("ban, unban", CALLS, pair(room + "/bans/" + other, new JsonObject()));
    cost("change a room", CALLS, i -> patch(room, "name", "room " + i));
    cost("make an invitation", CALLS, i -> post(room + "/invites", null));
    cost("list invitations", CALLS, get(room + "/invites"));
  }

  private void members(List<String> people) {
    cost("make a room", CALLS, i -> rooms.add(group("r" + i, List.of())));
    cost("add 1,000 members", FEW, i -> add(rooms.removeFirst(), people));
    cost("add a member", CALLS, i -> add(rooms.getFirst(), people.subList(i, i + 1)));
    cost("archive a room", DEAR, i -> self.ok("DELETE", "/v1/rooms/" + rooms.removeLast(), null));
  }

  private void signingIn(Vertx vertx, String group) {
    cost("sign in", DEAR, _ -> ApiClient.signIn(node.port(), "ada", ada.deviceId()));
    Person again = ApiClient.signIn(node.port(), "ada", null);
    cost(
        "change the password",
        DEAR,
        _ ->
            again
                .at(node.port())
                .ok(
                    "PUT",
                    "/v1/me/password",
                    new JsonObject()
                        .put("old", ApiClient.PASSWORD)
                        .put("new", ApiClient.PASSWORD)));
    String[] refresh = {again.refreshToken()};
    cost(
        "refresh",
        CALLS,
        _ ->
            refresh[0] =
                ApiClient.stranger(node.port())
                    .ok("POST", "/v1/tokens/refresh", object("refresh_token", refresh[0]))
                    .getString("refresh_token"));
    cost("connect", CALLS, _ -> ChatClient.live(vertx, node.port(), again.token()).cut());
    cost(
        "connect, 200 events missed",
        CALLS,
        _ -> {
          ChatClient client = ChatClient.hello(vertx, node.port(), again.token());
          long now =
              client.welcome().getJsonArray("rooms").stream()
                  .map(JsonObject.class::cast)
                  .filter(room -> group.equals(room.getString("room_id")))
                  .findFirst()
                  .orElseThrow()
                  .getLong("rev");
          client.resume(true, ChatClient.point(group, 1, now - 200));
          client.cut();
        });
  }

  private void administration() {
    List<JsonObject> bot = new ArrayList<>();
    cost(
        "token of a bot",
        DEAR,
        i -> bot.add(key.ok("POST", "/v1/admin/bots", object("handle", "b" + i))));
    cost("make 1,000 accounts", FEW, i -> removable.addAll(accounts("q" + i + "x", MANY_PEOPLE)));
    cost("suspend, restore", CALLS, i -> suspend(removable.getFirst()));
    cost("list accounts", CALLS, _ -> key.ok("GET", "/v1/admin/accounts", null));
    cost(
        "remove an account",
        CALLS,
        _ -> key.ok("DELETE", "/v1/admin/accounts/" + removable.removeFirst(), null));
  }

  private void suspend(String account) {
    key.ok("POST", "/v1/admin/accounts/" + account + "/suspend", null);
    key.ok("POST", "/v1/admin/accounts/" + account + "/restore", null);
  }

  private List<String> accounts(String prefix, int count) {
    List<JsonObject> wanted =
        IntStream.range(0, count).mapToObj(i -> object("handle", prefix + i)).toList();
    return key
        .ok("POST", "/v1/admin/accounts", new JsonObject().put("accounts", new JsonArray(wanted)))
        .getJsonArray("accounts")
        .stream()
        .map(account -> ((JsonObject) account).getString("account_id"))
        .toList();
  }

  private String group(String name, List<String> members) {
    return self.ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", name)
                .put("members", new JsonArray(members)))
        .getString("room_id");
  }

  private void add(String room, List<String> people) {
    post("/v1/rooms/" + room + "/members", new JsonObject().put("accounts", new JsonArray(people)));
  }

  private static String role(int i) {
    return i % 2 == 0 ? "admin" : "member";
  }

  private static String text(int length, int seed) {
    IntFunction<String> word = i -> Integer.toString((seed + 1) * 7919 * i, 36) + " ";
    return String.join("", IntStream.range(0, length).mapToObj(word).limit(length / 8).toList());
  }

  private static JsonObject frame(String type) {
    return object("type", type);
  }

  private static JsonObject object(String name, String value) {
    return new JsonObject().put(name, value);
  }

  private IntConsumer get(String path) {
    return _ -> self.ok("GET", path, null);
  }

  private IntConsumer packed(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + path))
            .header("authorization", "Bearer " + ada.token())
            .header("accept-encoding", "gzip")
            .build();
    return _ -> {
      try {
        HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("content-encoding")).contains("gzip");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private IntConsumer pair(String path, @Nullable JsonObject body) {
    return _ -> {
      self.ok("PUT", path, body);
      self.ok("DELETE", path, null);
    };
  }

  private void post(String path, @Nullable JsonObject body) {
    self.ok("POST", path, body);
  }

  private void put(String path, String name, String value) {
    self.ok("PUT", path, object(name, value));
  }

  private void patch(String path, String name, String value) {
    self.ok("PATCH", path, object(name, value));
  }

  /// The first third warms up.
  private void cost(String what, int calls, IntConsumer call) {
    int first = calls / 3;
    IntStream.range(0, first).forEach(call);
    long ownBefore = ownMs();
    long allBefore = allMs();
    IntStream.range(first, calls).forEach(call);
    long own = ownMs() - ownBefore;
    long all = allMs() - allBefore;
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.2f | %.2f |%n",
        what,
        calls - first,
        own / (double) (calls - first),
        (all - own) / (double) (calls - first));
  }

  private long ownMs() {
    return cpuMs(node.family().getFirst());
  }

  private long allMs() {
    return node.family().stream().mapToLong(AccountCostBench::cpuMs).sum();
  }

  private static long cpuMs(ProcessHandle process) {
    Info info = process.info();
    return Objects.requireNonNullElse(info.totalCpuDuration().orElse(Duration.ZERO), Duration.ZERO)
        .toMillis();
  }
}
