package io.confab.scenario.account;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestServers;
import io.confab.testing.proxy.LostPublications;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/// A hundred sockets on three nodes in a room where somebody talks all the time, and all their
/// sign-ins end: each is closed and receives nothing more, also when Redis loses the signal.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevokedCrowdIT {
  private static final String KEY = "an-api-key-that-is-only-for-tests-0123456789";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final int NODES = 3;
  private static final int DEVICES = 25;

  private final LostPublications publications = new LostPublications();
  private Nodes nodes;
  private TcpProxy redis;
  private Person ann;
  private ChatClient speaker;
  private String room = "";
  private int crowds;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    redis = TcpProxy.before(TestServers.redis(), publications);
    nodes.add(
        with(
            onServers(nodes.config(), nodes.postgresUrl(), redis.url()),
            "api_key",
            Optional.of(new Secret(KEY))));
    nodes.add(nodes.config());
    nodes.add(nodes.config());
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    room = ann.at(nodes.port(0)).channel("all the time");
    speaker = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
    redis.close();
  }

  private enum End {
    SIGNED_OUT(4501),
    DEVICE_REMOVED(4501),
    PASSWORD_CHANGED(4501),
    SUSPENDED(4502);

    private final int code;

    End(int code) {
      this.code = code;
    }
  }

  /// One device of somebody: when its sign-in had ended, and when it received something last, by
  /// `System.nanoTime`.
  private static final class Listener {
    private final End end;
    private final Person remote;
    private final boolean first;
    private final Person device;
    private final ChatClient socket;
    private long endedAt;
    private volatile long heardAt;

    /// @param remote another device of the account
    /// @param first of the account's
    Listener(End end, Person remote, boolean first, Person device, ChatClient socket) {
      this.end = end;
      this.remote = remote;
      this.first = first;
      this.device = device;
      this.socket = socket;
      socket.listen(_ -> heardAt = System.nanoTime());
    }
  }

  @Test
  void aHundredSocketsHearNothingAfterTheyWereRevoked(TestReporter reporter) {
    revoke(reporter);
  }

  @Test
  void aHundredSocketsReceiveNothingAfterARevocationWhoseSignalWasLost(TestReporter reporter) {
    publications.lose("account");
    long before = publications.lost();
    revoke(reporter);
    assertThat(publications.lost()).isGreaterThan(before);
    publications.lose();
  }

  private void revoke(TestReporter reporter) {
    String crowd = "crowd" + ++crowds;
    List<ChatClient> witnesses = witnesses(crowd);
    List<Listener> crowded = new ArrayList<>();
    for (End end : End.values()) {
      crowded.addAll(listeners(end, member(crowd + end.name().toLowerCase(Locale.ROOT))));
    }
    assertThat(crowded).hasSize(100);

    Talk talk = new Talk(crowd);
    crowded.forEach(each -> await().until(() -> !each.socket.bodies(room).isEmpty()));
    for (Listener each : crowded) {
      end(each);
      each.endedAt = System.nanoTime();
    }
    await().until(() -> crowded.stream().allMatch(each -> each.socket.isClosed()));
    talk.stop();

    String last = crowd + " all are closed";
    ChatClient.get(speaker.send(room, crowd + "last", last));
    for (ChatClient witness : witnesses) {
      await().until(() -> witness.bodies(room).contains(last));
    }
    for (Listener each : crowded) {
      assertThat((int) each.socket.closeCode()).isEqualTo(each.end.code);
      assertThat(each.socket.frames().getLast().getString("type")).isEqualTo("goodbye");
      assertThat(each.socket.frames().getLast().getInteger("code")).isEqualTo(each.end.code);
      assertThat(each.socket.bodies(room)).doesNotContain(last).doesNotHaveDuplicates();
    }
    long longest =
        crowded.stream().mapToLong(each -> each.heardAt - each.endedAt).max().orElseThrow();
    reporter.publishEntry(
        "last frame after the end, ms", "" + Duration.ofNanos(longest).toMillis());
    witnesses.forEach(ChatClient::cut);
  }

  /// Some calls end all devices of an account: then only the first of them is made.
  private void end(Listener each) {
    ApiClient api = each.device.at(nodes.port(0));
    switch (each.end) {
      case SIGNED_OUT -> api.ok("DELETE", "/v1/tokens", null);
      case DEVICE_REMOVED ->
          each.remote.at(nodes.port(0)).ok("DELETE", "/v1/devices/" + each.device.deviceId(), null);
      case PASSWORD_CHANGED -> {
        if (each.first) {
          JsonObject words =
              new JsonObject().put("old", ApiClient.PASSWORD).put("new", "another horse");
          each.remote.at(nodes.port(0)).ok("PUT", "/v1/me/password", words);
        }
      }
      case SUSPENDED -> {
        if (each.first) {
          ApiClient.withHeaders(nodes.port(0), Map.of("authorization", "Key " + KEY))
              .ok("POST", "/v1/admin/accounts/" + each.device.accountId() + "/suspend", null);
        }
      }
    }
  }

  private Person member(String handle) {
    Person person = ApiClient.person(nodes.port(0), handle, "Somebody");
    person.at(nodes.port(0)).join(room);
    return person;
  }

  private List<Listener> listeners(End end, Person person) {
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < DEVICES; i++) {
      Person device = person.onAnotherDevice(nodes.port(0));
      ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(i % NODES), device.token());
      listeners.add(new Listener(end, person, i == 0, device, socket));
    }
    return listeners;
  }

  /// Somebody on each node whose sign-in does not end.
  private List<ChatClient> witnesses(String crowd) {
    Person witness = member(crowd + "witness");
    List<ChatClient> sockets = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      Person device = witness.onAnotherDevice(nodes.port(0));
      sockets.add(ChatClient.live(nodes.vertx(), nodes.port(node), device.token()));
    }
    return sockets;
  }

  /// What Ann says until she is told to stop, one message every 20 ms.
  private final class Talk {
    private final Thread talker;
    private volatile boolean talking = true;

    Talk(String name) {
      talker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; talking; i++) {
                      ChatClient.get(speaker.send(room, name + i, name + " " + i));
                      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                    }
                  });
    }

    void stop() {
      talking = false;
      try {
        assertThat(talker.join(PATIENCE)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
