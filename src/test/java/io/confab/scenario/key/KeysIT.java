package io.confab.scenario.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.confab.config.Rate;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.LogLines;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/// What devices publish and claim for sealed rooms, over two nodes.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysIT {
  private static final String KEYS = "/v1/me/keys";
  private static final String QUERY = "/v1/keys/query";
  private static final String CLAIM = "/v1/keys/claim";
  private static final String CANARY = "canary-of-a-key";

  private final Nodes nodes = Nodes.start(2);
  private final int port = nodes.port(0);
  private final int otherPort = nodes.port(1);

  @AfterAll
  void close() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(port, handle, handle);
  }

  private String sealedGroup(Person owner, Person... members) {
    JsonArray ids = new JsonArray();
    Stream.of(members).map(Person::accountId).forEach(ids::add);
    String room =
        owner
            .at(port)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject().put("type", "group").put("name", "Tea").put("members", ids))
            .getString("room_id");
    nodes
        .database()
        .execute(
            """
            UPDATE room SET encryption_suite = 'olm1', sealed_from_seq = 1, sealed_from_rev = 1
             WHERE encryption_suite IS NULL
            """);
    return room;
  }

  private static JsonObject key(String id, String key) {
    return new JsonObject().put("id", id).put("key", key);
  }

  private static JsonObject upload(String name, int keys) {
    JsonArray oneTime = new JsonArray();
    for (int i = 0; i < keys; i++) {
      oneTime.add(key("%s%03d".formatted(name, i), name + " key " + i));
    }
    return new JsonObject()
        .put("suite", "olm1")
        .put("identity", "identity of " + name)
        .put("fallback_key", key("f" + name, "fallback of " + name))
        .put("one_time_keys", oneTime);
  }

  private static JsonObject device(Person of) {
    return new JsonObject().put("account_id", of.accountId()).put("device_id", of.deviceId());
  }

  private static JsonObject devices(Person... of) {
    JsonArray devices = new JsonArray();
    Stream.of(of).map(KeysIT::device).forEach(devices::add);
    return new JsonObject().put("devices", devices);
  }

  private static List<JsonObject> claimed(ApiClient caller, Person... devices) {
    return caller.ok("POST", CLAIM, devices(devices)).getJsonArray("keys").stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static List<JsonObject> known(ApiClient caller, Person... accounts) {
    JsonArray ids = new JsonArray();
    Stream.of(accounts).map(Person::accountId).forEach(ids::add);
    return caller
        .ok("POST", QUERY, new JsonObject().put("accounts", ids))
        .getJsonArray("accounts")
        .stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  @Test
  void twoHundredClaimsForAHundredKeysOfFiveDevicesOnTwoNodes() throws Exception {
    Person owner = person("many0");
    List<Person> devices = new ArrayList<>(List.of(owner));
    while (devices.size() < 5) {
      devices.add(owner.onAnotherDevice(port));
    }
    Person[] claimers =
        IntStream.rangeClosed(1, 40).mapToObj(i -> person("many" + i)).toArray(Person[]::new);
    sealedGroup(owner, claimers);
    devices.forEach(d -> d.at(port).ok("PUT", KEYS, upload(d.deviceId(), 100)));
    Person[] all = devices.toArray(Person[]::new);
    List<Future<List<JsonObject>>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        Person claimer = claimers[i % claimers.length];
        int at = i % 2 == 0 ? port : otherPort;
        answers.add(threads.submit(() -> claimed(claimer.at(at), all)));
      }
    }
    List<JsonObject> keys = answers.stream().flatMap(answer -> get(answer).stream()).toList();

    assertThat(keys).hasSize(1_000);
    for (Person device : devices) {
      List<JsonObject> own =
          keys.stream().filter(k -> k.getString("device_id").equals(device.deviceId())).toList();
      assertThat(own.stream().filter(k -> !k.getBoolean("fallback", false)))
          .extracting(k -> k.getString("id"))
          .doesNotHaveDuplicates()
          .hasSize(100);
      assertThat(own.stream().filter(k -> k.getBoolean("fallback", false)))
          .hasSize(100)
          .allSatisfy(k -> assertThat(k.getString("id")).isEqualTo("f" + device.deviceId()));
    }
    assertThat(claimed(claimers[0].at(port), owner).getFirst().getString("error"))
        .isEqualTo("rate_limited");
    assertThat(counted("confab_keys_claimed_total{outcome=\"fallback\"}"))
        .isGreaterThanOrEqualTo(500);
    assertThat(counted("confab_keys_low_total")).isPositive();
  }

  /// On both nodes.
  private double counted(String meter) {
    return (nodes.metrics(0) + nodes.metrics(1))
        .lines()
        .filter(line -> line.startsWith(meter))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static <T> T get(Future<T> answer) {
    try {
      return answer.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void companionsHearOfChangedDevicesOnEveryNodeAndStrangersDoNot() {
    Person ann = person("ann");
    Person bob = person("bob");
    Person eve = person("eve");
    sealedGroup(ann, bob);
    ChatClient own = ChatClient.live(nodes.vertx(), otherPort, ann.token());
    ChatClient companion = ChatClient.live(nodes.vertx(), otherPort, bob.token());
    ChatClient stranger = ChatClient.live(nodes.vertx(), otherPort, eve.token());

    JsonObject kept = ann.at(port).ok("PUT", KEYS, upload("ann", 30));

    assertThat(kept.getLong("one_time_keys")).isEqualTo(30);
    JsonObject told = companion.awaitFrame("devices.changed");
    assertThat(told.getString("account_id")).isEqualTo(ann.accountId());
    assertThat(own.awaitFrame("devices.changed").getLong("version"))
        .isEqualTo(told.getLong("version"));
    JsonObject seen = known(bob.at(otherPort), ann, eve).getFirst();
    assertThat(seen.getLong("version")).isEqualTo(told.getLong("version"));
    assertThat(seen.getJsonArray("devices").getJsonObject(0))
        .isEqualTo(
            new JsonObject()
                .put("device_id", ann.deviceId())
                .put("registration_id", kept.getLong("registration_id"))
                .put("suite", "olm1")
                .put("identity", "identity of ann"));
    assertThat(known(eve.at(port), ann)).isEmpty();
    assertThat(claimed(eve.at(port), ann)).isEmpty();

    long version =
        ann.at(port)
            .ok(
                "PUT",
                "/v1/me/identity",
                new JsonObject()
                    .put("identity", "account")
                    .put("devices", new JsonObject().put(ann.deviceId(), "signed")))
            .getLong("version");
    awaitVersion(companion, version);
    ann.at(port).ok("DELETE", "/v1/devices/" + ann.deviceId(), null);
    awaitVersion(companion, version + 1);
    assertThat(known(bob.at(port), ann).getFirst().getJsonArray("devices")).isEmpty();
    assertThat(claimed(bob.at(port), ann)).isEmpty();
    assertThat(stranger.frames("devices.changed")).isEmpty();
  }

  private static void awaitVersion(ChatClient client, long version) {
    await()
        .until(
            () -> client.frames("devices.changed").getLast().getLong("version"),
            last -> last == version);
  }

  @Test
  void aDeviceWithFewKeysIsTold() {
    Person cyd = person("cyd");
    Person second = cyd.onAnotherDevice(port);
    Person dan = person("dan");
    sealedGroup(cyd, dan);
    cyd.at(port).ok("PUT", KEYS, upload("cyd", 21));
    second.at(port).ok("PUT", KEYS, upload("second", 50));
    ChatClient device = ChatClient.live(nodes.vertx(), otherPort, cyd.token());
    ChatClient other = ChatClient.live(nodes.vertx(), otherPort, second.token());

    claimed(dan.at(port), cyd, second);
    claimed(dan.at(port), cyd, second);

    device.awaitFrame("keys.low");
    assertThat(device.frames("keys.low")) // of the first claim, too, if its look came after both
        .hasSizeBetween(1, 2)
        .allSatisfy(low -> assertThat(low.getLong("one_time_keys")).isEqualTo(19));
    assertThat(other.frames("keys.low")).isEmpty();
    assertThat(other.isClosed()).isFalse();
  }

  @Test
  void aDeviceThatSignsOutKeepsItsKeysAndIsListedUntilItIsRemoved() {
    Person eli = person("eli");
    Person phone = eli.onAnotherDevice(port);
    Person fay = person("fay");
    sealedGroup(eli, fay);
    phone.at(port).ok("PUT", KEYS, upload("phone", 3));
    phone.at(port).ok("DELETE", "/v1/tokens", null);

    assertThat(claimed(fay.at(port), phone)).hasSize(1);
    JsonObject listed =
        eli.at(port).ok("GET", "/v1/devices", null).getJsonArray("devices").stream()
            .map(JsonObject.class::cast)
            .filter(d -> d.getString("device_id").equals(phone.deviceId()))
            .findFirst()
            .orElseThrow();
    assertThat(listed.getLong("signed_out_at")).isPositive();
    assertThat(listed.getString("suite")).isEqualTo("olm1");
    eli.at(port).ok("DELETE", "/v1/devices/" + phone.deviceId(), null);
    assertThat(claimed(fay.at(port), phone)).isEmpty();
  }

  @Test
  void aSuspendedAccountKeepsItsKeysAndARemovedOneHasNone() {
    Person guy = person("guy");
    Person hal = person("hal");
    sealedGroup(guy, hal);
    guy.at(port).ok("PUT", KEYS, upload("guy", 3));
    nodes.database().execute("UPDATE account SET suspended_at = now() WHERE handle = 'guy'");
    assertThat(claimed(hal.at(port), guy)).hasSize(1);
    nodes.database().execute("UPDATE account SET suspended_at = NULL WHERE handle = 'guy'");
    guy.at(port).ok("DELETE", "/v1/me", new JsonObject().put("password", ApiClient.PASSWORD));

    assertThat(claimed(hal.at(port), guy)).isEmpty();
    assertThat(
            nodes
                .database()
                .count(
                    "SELECT count(*) FROM device_key k JOIN account a USING (account_id)"
                        + " WHERE handle = 'guy'"))
        .isZero();
  }

  @Test
  void whatIsWrongIsNamed() {
    Person ida = person("ida");
    ApiClient at = ida.at(port);
    JsonObject right = upload("ida", 3);

    refused(at, right.copy().put("suite", "mls1"), "invalid_field", "suite");
    JsonObject missing = right.copy();
    missing.remove("identity");
    refused(at, missing, "invalid_field", "identity");
    refused(at, right.copy().put("identity", ""), "invalid_field", "identity");
    refused(at, right.copy().put("identity", "x".repeat(4_097)), "too_large", "identity");
    refused(at, right.copy().put("identity", "é".repeat(2_049)), "too_large", "identity");
    refused(at, right.copy().put("identity", "a\u0007"), "invalid_field", "identity");
    refused(
        at, right.copy().put("fallback_key", key("é", "x")), "invalid_field", "fallback_key.id");
    refused(at, with(right, key("x", "k".repeat(1_025))), "too_large", "one_time_keys[3].key");
    refused(at, with(right, key("", "k")), "invalid_field", "one_time_keys[3].id");
    refused(at, with(right, key("ida001", "k")), "invalid_field", "one_time_keys[3].id");
    refused(at, with(right, key("x", "k").put("y", 1)), "invalid_field", "one_time_keys[3].y");
    refused(at, upload("ida", 101), "invalid_field", "one_time_keys");
    at.ok("PUT", KEYS, right);
    refused(at, right.copy().put("identity", "another"), "conflict", "identity");
    JsonObject changed = right.copy();
    changed.getJsonArray("one_time_keys").getJsonObject(2).put("key", "another");
    refused(at, changed, "conflict", "one_time_keys[2].id");
    Answer none =
        at.call(
            "PUT",
            "/v1/me/identity",
            new JsonObject().put("devices", new JsonObject().put("none", "signed")));
    assertThat(none.code()).isEqualTo("invalid_field");
    assertThat(none.body().getJsonObject("error").getString("field")).isEqualTo("devices.none");
    assertThat(
            at.call("POST", CLAIM, devices(ida, ida))
                .body()
                .getJsonObject("error")
                .getString("field"))
        .isEqualTo("devices[1]");
  }

  private static JsonObject with(JsonObject right, JsonObject key) {
    JsonObject more = right.copy();
    more.getJsonArray("one_time_keys").add(key);
    return more;
  }

  private static void refused(ApiClient at, JsonObject body, String code, String field) {
    Answer answer = at.call("PUT", KEYS, body);
    assertThat(answer.code()).as(field).isEqualTo(code);
    assertThat(answer.body().getJsonObject("error").getString("field")).isEqualTo(field);
  }

  @Test
  void bodiesAtTheirBoundsAreTaken() {
    Person jo = person("jo");
    JsonArray keys = new JsonArray();
    for (int i = 0; i < 100; i++) {
      keys.add(key("%064d".formatted(i), "\"".repeat(1_024)));
    }
    JsonObject upload =
        upload("jo", 0)
            .put("identity", "é".repeat(2_048))
            .put("fallback_key", key("f", "\"".repeat(1_024)))
            .put("one_time_keys", keys);

    assertThat(jo.at(port).ok("PUT", KEYS, upload).getLong("one_time_keys")).isEqualTo(100);
    JsonObject vault = new JsonObject().put("vault", "\"".repeat(65_536));
    assertThat(jo.at(port).call("GET", "/v1/me/vault", null).body()).isEqualTo(new JsonObject());
    jo.at(port).ok("PUT", "/v1/me/vault", vault);
    assertThat(jo.at(otherPort).ok("GET", "/v1/me/vault", null)).isEqualTo(vault);
    assertThat(
            jo.at(port)
                .call("PUT", "/v1/me/vault", new JsonObject().put("vault", "x".repeat(65_537)))
                .code())
        .isEqualTo("too_large");
  }

  @Test
  void aBackendHasNoKeysForAnybody() {
    String apiKey = "an-api-key-that-acts-for-others-0123456789";
    int keyPort =
        nodes
            .add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(apiKey))))
            .port();
    Person kim = person("kim");
    ApiClient backend =
        ApiClient.withHeaders(
            keyPort, Map.of("authorization", "Key " + apiKey, "x-confab-as", kim.accountId()));
    assertThat(backend.call("PUT", KEYS, upload("kim", 1)).code()).isEqualTo("forbidden");
    assertThat(backend.call("GET", "/v1/me/vault", null).code()).isEqualTo("forbidden");
    assertThat(backend.call("POST", CLAIM, devices(kim)).code()).isEqualTo("forbidden");
  }

  @Test
  void aClaimCostsAsManyAsItNames() {
    int slow =
        nodes
            .add(
                TestConfig.with(
                    TestConfig.with(
                        nodes.config(), "rates.key_claims", new Rate(1, Duration.ofHours(1), 10)),
                    "rates.key_queries",
                    new Rate(1, Duration.ofHours(1), 10)))
            .port();
    Person lea = person("lea");
    JsonArray names = new JsonArray();
    JsonArray ids = new JsonArray();
    for (int i = 0; i < 11; i++) {
      names.add(device(lea).put("device_id", "d" + i));
      ids.add("%013d".formatted(i));
    }
    JsonObject claim = new JsonObject().put("devices", names);
    JsonObject query = new JsonObject().put("accounts", ids);

    lea.at(slow).ok("POST", CLAIM, claim);
    assertThat(lea.at(slow).call("POST", CLAIM, claim).code()).isEqualTo("rate_limited");
    lea.at(slow).ok("POST", QUERY, query);
    assertThat(lea.at(slow).call("POST", QUERY, query).code()).isEqualTo("rate_limited");
  }

  @Test
  void noKeyIsLogged() {
    Person max = person("max");
    Person ned = person("ned");
    sealedGroup(max, ned);
    Logger confab = (Logger) LoggerFactory.getLogger("io.confab");
    Level before = confab.getLevel();
    confab.setLevel(Level.TRACE);
    try (LogLines log = new LogLines("ROOT")) {
      JsonObject upload =
          upload("max", 0)
              .put("identity", CANARY)
              .put("fallback_key", key("f", CANARY))
              .put("one_time_keys", new JsonArray().add(key("k", CANARY)));
      max.at(port).ok("PUT", KEYS, upload);
      max.at(port).ok("PUT", "/v1/me/vault", new JsonObject().put("vault", CANARY));
      max.at(port).ok("PUT", "/v1/me/identity", new JsonObject().put("identity", CANARY));
      claimed(ned.at(otherPort), max);
      known(ned.at(otherPort), max);
      Answer conflict = max.at(port).call("PUT", KEYS, upload.put("identity", CANARY + "2"));
      assertThat(conflict.body().encode()).doesNotContain(CANARY);
      assertThat(log.lines()).noneMatch(line -> line.contains(CANARY));
      assertThat(nodes.metrics(0) + nodes.metrics(1)).doesNotContain(CANARY);
    } finally {
      confab.setLevel(before);
    }
  }
}
