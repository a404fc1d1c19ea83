package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.redis.RedisKeys;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.Ports;
import io.confab.testing.Position;
import io.confab.testing.TestConfig;
import io.confab.testing.TestServers;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Switches of the configuration, beside a node with all defaults.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SwitchesIT {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  private final Nodes nodes = Nodes.start(1);
  private final RedisKeys keys = new RedisKeys(nodes.config().redis().keyPrefix());
  private Person alice;
  private String room;

  @BeforeAll
  void start() {
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    room = alice.at(nodes.port(0)).channel("switches");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private static JsonObject account(String handle) {
    return new JsonObject().put("handle", handle).put("password", ApiClient.PASSWORD);
  }

  private static Answer stranger(int port, String path, JsonObject body) {
    return ApiClient.stranger(port).call("POST", path, body);
  }

  @Test
  @Position("accounts.sign_up: true")
  @Position("accounts.sign_up: false")
  @Position("accounts.password_sign_in: true")
  @Position("accounts.password_sign_in: false")
  void signUpAndSignInAreSwitchedOffOneByOne() {
    int closed = nodes.add(with(nodes.config(), "accounts.sign_up", false)).port();
    assertThat(stranger(closed, "/v1/accounts", account("bob")).status()).isEqualTo(FORBIDDEN);
    assertThat(stranger(nodes.port(0), "/v1/accounts", account("bob")).status()).isEqualTo(201);
    assertThat(stranger(closed, "/v1/tokens", account("bob")).status()).isEqualTo(200);

    int silent = nodes.add(with(nodes.config(), "accounts.password_sign_in", false)).port();
    for (String handle : List.of("bob", "nobody")) {
      Answer refused = stranger(silent, "/v1/tokens", account(handle));
      assertThat(refused.status()).isEqualTo(FORBIDDEN);
      assertThat(refused.code()).isEqualTo("forbidden");
    }
    assertThat(stranger(silent, "/v1/accounts", account("cyd")).status()).isEqualTo(201);
    assertThat(
            stranger(
                    silent,
                    "/v1/tokens/refresh",
                    new JsonObject().put("refresh_token", alice.refreshToken()))
                .status())
        .isEqualTo(200);
    assertThat(serves(NodeRole.ROUTING, silent)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @Position("node.roles: sockets")
  @Position("node.roles: http")
  @Position("node.roles: routing")
  @Position("node.roles: persistence")
  @Position("node.roles: presence")
  void aNodeWithoutARoleDoesNotDoWhatTheRoleIsFor(NodeRole without) {
    assertThat(serves(without, nodes.port(0))).isTrue();

    Set<NodeRole> others = EnumSet.complementOf(EnumSet.of(without));
    int port = nodes.add(with(nodes.config(), "node.roles", others)).port();

    assertThat(serves(without, port)).isFalse();
  }

  @Test
  void aNodeWithoutSocketsAndApiHasNoPublicPort() {
    Set<NodeRole> core = EnumSet.of(NodeRole.ROUTING, NodeRole.PERSISTENCE, NodeRole.PRESENCE);

    assertThat(nodes.add(with(nodes.config(), "node.roles", core)).port()).isZero();
  }

  /// Whether the node does what the role is for; with the other roles it must do the rest.
  private boolean serves(NodeRole role, int port) {
    return switch (role) {
      case SOCKETS -> upgrade(port).contains(" 101 ");
      case HTTP -> status(port) != NOT_FOUND;
      case ROUTING -> me(port) != UNAVAILABLE;
      case PERSISTENCE -> send(port) != UNAVAILABLE;
      case PRESENCE -> isRegistered(port);
    };
  }

  private static String upgrade(int port) {
    try (RawSocket socket = RawSocket.connect(port)) {
      return socket.head();
    }
  }

  /// The answer to a stranger; without the API it is none of our documents.
  private static int status(int port) {
    try {
      URL me = URI.create("http://127.0.0.1:" + port + "/v1/me").toURL();
      return ((HttpURLConnection) me.openConnection()).getResponseCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int me(int port) {
    return alice.at(port).exchange("GET", "/v1/me", null).statusCode();
  }

  private int send(int port) {
    return alice
        .at(port)
        .call(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", "c" + port).put("body", "hello"))
        .status();
  }

  /// A session is registered before it is welcomed.
  private boolean isRegistered(int port) {
    Person device = alice.onAnotherDevice(nodes.port(0));
    ChatClient client = ChatClient.live(nodes.vertx(), port, device.token());
    Redis redis = Redis.createClient(nodes.vertx(), TestServers.redis());
    try {
      String sessions = keys.connections(AccountId.parse(device.accountId()));
      return redis.send(Request.cmd(Command.HGET).arg(sessions).arg(device.deviceId())).await()
          != null;
    } finally {
      redis.close();
      client.cut();
    }
  }

  @Test
  @Position("cluster.enabled: false")
  @Position("cluster.enabled: true")
  void aNodeIsOfAClusterOnlyWhereItIsToldSo() {
    int port = Ports.freeRun(1);
    Config.Cluster cluster = TestConfig.cluster(false, port, List.of("127.0.0.1:" + port));
    nodes.add(with(nodes.config(), "cluster", cluster));
    assertThat(Ports.isFree(port)).isTrue();

    nodes.add(with(with(nodes.config(), "cluster", cluster), "cluster.enabled", true));
    assertThat(Ports.isFree(port)).isFalse();
  }
}
