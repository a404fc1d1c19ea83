package io.confab.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.LogLines;
import io.confab.testing.TestConfig;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands on the data while no node runs on them.
@Timeout(180)
class LocalDataIT {
  private static JsonNode run(LocalCommands data, String command) throws IOException {
    return data.run(command, JsonNodeFactory.instance.objectNode());
  }

  @Test
  void theEpochIsShownAndRaised(@TempDir Path folder) throws IOException {
    TestServers.shareProgramsWith(folder);
    try (LocalCommands data = LocalData.open(TestConfig.node(folder))) {
      JsonNode first = run(data, "epoch");
      assertThat(first.path("epoch").asLong()).isEqualTo(1);
      assertThat(first.path("timeline").asLong()).isEqualTo(1);
      assertThat(first.path("system_identifier").isIntegralNumber()).isTrue();
      long raised = run(data, "epoch.bump").path("epoch").asLong();
      assertThat(raised).isGreaterThan(1);
      assertThat(run(data, "epoch").path("epoch").asLong()).isEqualTo(raised);
    }
    try (LocalCommands again = LocalData.open(TestConfig.node(folder))) {
      assertThat(run(again, "epoch").path("epoch").asLong()).isGreaterThan(1);
    }
  }

  @Test
  void accountsAreListedAndShownBotsToo(@TempDir Path folder) throws IOException {
    TestServers.shareProgramsWith(folder);
    try (LocalCommands data = LocalData.open(TestConfig.node(folder))) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      data.run("account.bot", body.put("handle", "weather"));
      JsonNode shown = data.run("account.show", body);
      assertThat(shown.path("role").asText()).isEqualTo("bot");
      assertThat(shown.path("display_name").asText()).isEqualTo("weather");
      JsonNode listed = data.run("account.list", JsonNodeFactory.instance.objectNode());
      assertThat(listed.path("accounts").valueStream()).contains(shown);
      ObjectNode after = JsonNodeFactory.instance.objectNode();
      after.put("after", shown.path("account_id").asText());
      assertThat(data.run("account.list", after).path("accounts").valueStream())
          .doesNotContain(shown);
    }
  }

  @Test
  void nodesElsewhereOnTheSameServersHearOfIt() throws IOException {
    try (Nodes nodes = Nodes.start(1)) {
      Person person = ApiClient.person(nodes.port(0), "watched", "Watched");
      ChatClient socket = ChatClient.hello(nodes.vertx(), nodes.port(0), person.token());
      try (LogLines log = new LogLines("security");
          LocalCommands data = LocalData.open(nodes.config())) {
        data.run("account.suspend", JsonNodeFactory.instance.objectNode().put("handle", "watched"));
        assertThat(log.lines())
            .containsExactly(
                "INFO operator_command address=local command=account.suspend handle=watched");
      }
      assertThat(socket.closeCode()).isEqualTo((short) 4502);
    }
  }
}
