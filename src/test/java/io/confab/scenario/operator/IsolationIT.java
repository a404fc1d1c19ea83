package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.LostPublications;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A node that knew of another loses PostgreSQL and Redis at once.
@Timeout(240)
class IsolationIT {

  private final LostPublications publications = new LostPublications();
  private Nodes nodes;
  private OwnRedis server;
  private TcpProxy redis;
  private TcpProxy postgres;

  @BeforeEach
  void start() {
    nodes = Nodes.start(0);
    server = OwnRedis.start();
    redis = TcpProxy.before(server.address(), publications);
    postgres = TcpProxy.before(nodes.postgresUrl(), Filter::none);
    nodes.add(onServers(nodes.config(), postgres.url(), redis.url()));
    nodes.add(onServers(nodes.config(), nodes.postgresUrl(), server.address()));
  }

  @AfterEach
  void stop() {
    nodes.close();
    postgres.close();
    redis.close();
    server.close();
  }

  @Test
  void aNodeThatIsCutOffSendsItsClientsAwayAndTheOtherKeepsThem() {
    Person alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    Person bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    ChatClient here = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    ChatClient there = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    long before = publications.digests();
    await().until(() -> publications.digests() >= before + 6); // so the peer is known

    redis.conduct(Conduct.REFUSE);
    postgres.close();

    assertThat(here.closeCode()).isEqualTo((short) 4000);
    assertThat(here.frames().getLast().getString("reason")).isEqualTo("cut off");
    assertThat(Nodes.metrics(nodes.node(0))).contains("confab_isolations_total 1.0");
    String room = bob.at(nodes.port(1)).channel("on");
    assertThat(ChatClient.get(there.send(room, "c1", "still here")).getString("status"))
        .isEqualTo("sent");
    assertThat(Nodes.metrics(nodes.node(1))).contains("confab_isolations_total 0.0");
  }
}
