package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each request and each answer that openapi.yaml states has an example, and the server could have
/// made it.
@Timeout(60)
class ExamplesTest {
  private final JsonNode openapi = new Documents().resolved(Documents.OPENAPI);

  @Test
  void everyContentHasAnExampleThatFitsItsSchema() {
    int seen = 0;
    for (JsonNode path : openapi.get("paths")) {
      for (JsonNode operation : path) {
        for (JsonNode content : contents(operation)) {
          JsonNode example = content.at("/examples/one/value");
          assertThat(example.isMissingNode())
              .as("%s has an example", operation.get("operationId"))
              .isFalse();
          assertThat(Shape.exact(content.get("schema")).faults(example))
              .as("%s: %s", operation.get("operationId"), example)
              .isEmpty();
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(400);
  }

  /// Contents of the public listener's operations; a body that must be empty needs no example.
  private static List<JsonNode> contents(JsonNode operation) {
    List<JsonNode> contents = new ArrayList<>();
    if (operation.has("x-limit")) {
      operation.at("/requestBody/content").forEach(contents::add);
      contents.removeIf(content -> !content.get("schema").has("properties"));
      for (JsonNode answer : operation.get("responses")) {
        answer.path("content").properties().stream()
            .filter(content -> content.getKey().contains("json"))
            .forEach(content -> contents.add(content.getValue()));
      }
    }
    return contents;
  }

  @Test
  void aRefusalIsShownWithACodeOfItsStatusAsThatCodeIs() {
    for (JsonNode answer : openapi.at("/components/responses")) {
      JsonNode error = answer.at("/content/application~1json/examples/one/value/error");
      if (answer.has("x-codes")) {
        ErrorCode code = ErrorCode.valueOf(error.get("code").asText().toUpperCase(Locale.ROOT));
        assertThat(answer.get("x-codes")).contains(error.get("code"));
        assertThat(error.get("retryable").asBoolean()).as("%s", code).isEqualTo(code.retryable());
      }
    }
  }
}
