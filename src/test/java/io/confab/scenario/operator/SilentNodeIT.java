package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.LostPublications;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two nodes that do not hear each other, or not any more.
@Timeout(300)
class SilentNodeIT {
  private static final Pattern COMPARED_AS_IT_WAS_GONE =
      Pattern.compile("confab_comparisons_total\\{[^}]*\"gone\"[^}]*\\} [1-9]");

  private final LostPublications publications = new LostPublications();
  private Nodes nodes;
  private OwnRedis server;
  private TcpProxy redis;
  private Person alice;
  private Person bob;
  private String room;

  @BeforeEach
  void start() {
    nodes = Nodes.start(0);
    server = OwnRedis.start();
    redis = TcpProxy.before(server.address(), publications);
    add(redis.url());
    add(server.address());
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    room = alice.at(nodes.port(0)).channel("silence");
    bob.at(nodes.port(0)).join(room);
  }

  private Node add(String redisUrl) {
    Config config = onServers(nodes.config(), nodes.postgresUrl(), redisUrl);
    // after that, what a silent node had under way is over
    return nodes.add(with(config, "postgres.statement_timeout", Duration.ofSeconds(5)));
  }

  @AfterEach
  void stop() {
    nodes.close();
    redis.close();
    server.close();
  }

  private ChatClient live(Person person, int node) {
    return ChatClient.live(nodes.vertx(), nodes.port(node), person.token());
  }

  private void exchange(ChatClient from, ChatClient to, String body) {
    assertThat(from.say(room, body, body).getString("status")).isEqualTo("sent");
    await().until(() -> to.bodies(room).contains(body));
  }

  @Test
  void whatANodeCommittedBeforeItFellSilentIsFound() {
    ChatClient here = live(alice, 0);
    ChatClient there = live(bob, 1);
    exchange(here, there, "heard");
    long before = publications.digests();
    await().until(() -> publications.digests() >= before + 2); // so it is known
    redis.conduct(Conduct.REFUSE); // to the other node this one is dead from here on
    exchange(here, there, "committed and never announced");
    assertThat(there.bodies(room)).containsExactly("heard", "committed and never announced");
  }

  /// It has nothing but PostgreSQL, and the other one forgot it long ago. Each message is the last
  /// one of its room until everybody has it.
  @Test
  void aNodeThatReachesPostgresqlAloneIsHeard() {
    ChatClient here = live(alice, 0);
    ChatClient there = live(bob, 1);
    exchange(here, there, "heard");
    long before = publications.digests();
    await().until(() -> publications.digests() >= before + 2);
    redis.conduct(Conduct.REFUSE);
    await().until(() -> COMPARED_AS_IT_WAS_GONE.matcher(nodes.metrics(1)).find());
    exchange(here, there, "alone");
    exchange(there, here, "heard there");
    exchange(here, there, "still alone");
    assertThat(there.bodies(room)).containsExactly("heard", "alone", "heard there", "still alone");
  }

  @Test
  void withoutRedisNodesDeliverToEachOther() {
    ChatClient here = live(alice, 0);
    ChatClient there = live(bob, 1);
    exchange(here, there, "before");
    server.kill();
    exchange(here, there, "without");
    exchange(there, here, "and back");
    String other = alice.at(nodes.port(0)).channel("made without");
    alice.at(nodes.port(0)).ok("PUT", "/v1/rooms/" + other + "/members/" + bob.accountId(), null);
    await().until(() -> !there.frames("room.added").isEmpty());
    server.startAgain();
    exchange(here, there, "after");
    assertThat(there.bodies(room)).containsExactly("before", "without", "and back", "after");
  }
}
