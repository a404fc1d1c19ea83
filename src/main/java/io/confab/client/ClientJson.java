package io.confab.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// JSON of a server, read tolerantly: unknown fields are passed over.
final class ClientJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private ClientJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /// Reads one JSON value.
  static JsonNode tree(byte[] utf8) {
    try {
      return MAPPER.readTree(utf8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads one JSON value.
  static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T read(JsonNode node, Class<T> type) {
    try {
      return MAPPER.treeToValue(node, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What an answer has in one of its fields.
  static <T> List<T> list(JsonNode answer, String plural, Class<T> type) {
    return answer.path(plural).valueStream().map(node -> read(node, type)).toList();
  }

  static ObjectNode write(Object value) {
    return MAPPER.valueToTree(value);
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
