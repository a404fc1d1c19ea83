package io.confab.scenario.account;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two sockets of a device that connect while Redis stands still: when it goes on, the newer one
/// stays.
@Timeout(300)
class DisplacementIT {
  private static final int PEOPLE = 8;

  private Nodes nodes;
  private OwnRedis redis;

  @BeforeEach
  void start() {
    nodes = Nodes.start(0);
    redis = OwnRedis.start();
    add();
    add();
  }

  private void add() {
    Config config = nodes.config();
    Config own = onServers(config, nodes.postgresUrl(), redis.address());
    nodes.add(with(own, "redis.command_timeout", Duration.ofSeconds(2)));
  }

  @AfterEach
  void stop() {
    nodes.close();
    redis.close();
  }

  @Test
  void theNewerStaysWhicheverIsEnteredFirst() {
    List<Person> people = new ArrayList<>();
    for (int i = 0; i < PEOPLE; i++) {
      people.add(ApiClient.person(nodes.port(0), "person" + i, "Person " + i));
    }
    redis.freeze();
    List<ChatClient> older = new ArrayList<>();
    List<ChatClient> newer = new ArrayList<>();
    for (int i = 0; i < PEOPLE; i++) {
      older.add(ChatClient.hello(nodes.vertx(), nodes.port(i % 2), people.get(i).token()));
    }
    for (int i = 0; i < PEOPLE; i++) {
      newer.add(ChatClient.hello(nodes.vertx(), nodes.port(i / 2 % 2), people.get(i).token()));
    }
    redis.thaw();
    for (int i = 0; i < PEOPLE; i++) {
      assertThat(older.get(i).closeCode()).as("older socket %d", i).isEqualTo((short) 4409);
      assertThat(newer.get(i).ask(new JsonObject().put("type", "ping")).getString("type"))
          .as("newer socket %d", i)
          .isEqualTo("pong");
    }
  }
}
