package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/// A local command that a running node carries out. Its refusals are `Refusal`s.
@FunctionalInterface
public interface ManagementCommand {
  Future<JsonNode> run(JsonNode body);
}
