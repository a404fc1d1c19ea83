package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.operator.LocalCommands;
import io.confab.operator.ManagementClient;
import java.io.IOException;

/// Commands in the node that runs on the data folder.
record RunningNode(ManagementClient client) implements LocalCommands {
  @Override
  public JsonNode run(String command, JsonNode body) throws IOException {
    return client.run(command, body);
  }

  @Override
  public void close() {
    client.close();
  }
}
