package io.confab.client.sealed;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// JSON that devices exchange and that the store holds.
final class SealedJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private SealedJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode list() {
    return MAPPER.createArrayNode();
  }

  /// Reads an object that came from outside. Doubt: MALFORMED.
  static ObjectNode foreign(String text) {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException _) {
      // Told below, as what is no object.
    }
    throw new Untrusted(Doubt.MALFORMED);
  }

  /// An object in one that came from outside. Doubt: MALFORMED.
  static ObjectNode object(JsonNode in, String field) {
    if (in.get(field) instanceof ObjectNode object) {
      return object;
    }
    throw new Untrusted(Doubt.MALFORMED);
  }

  /// An array in an object that came from outside. Doubt: MALFORMED.
  static ArrayNode array(JsonNode in, String field) {
    if (in.get(field) instanceof ArrayNode array) {
      return array;
    }
    throw new Untrusted(Doubt.MALFORMED);
  }

  /// What another device of the account kept. Doubt: MALFORMED.
  static <T> T moved(JsonNode json, Class<T> type) {
    try {
      return MAPPER.treeToValue(json, type);
    } catch (JsonProcessingException | IllegalArgumentException _) {
      throw new Untrusted(Doubt.MALFORMED);
    }
  }

  /// What is kept, for another device of the account.
  static ObjectNode moving(byte[] json) {
    return foreign(new String(json, StandardCharsets.UTF_8));
  }

  /// Text in an object that came from outside. Doubt: MALFORMED.
  static String text(JsonNode in, String field) {
    JsonNode value = in.get(field);
    if (value == null || !value.isTextual()) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return value.textValue();
  }

  /// Throws the doubt unless the text is this.
  static void expect(JsonNode in, String field, String expected, Doubt doubt) {
    if (!text(in, field).equals(expected)) {
      throw new Untrusted(doubt);
    }
  }

  static String write(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The one text that all who sign or check an object make of it: keys in order, no blanks
  /// (https://spec.matrix.org/v1.16/appendices/#canonical-json).
  static String canonical(JsonNode node) {
    return write(sorted(node));
  }

  static byte[] keep(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T kept(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode sorted(JsonNode node) {
    if (node.isObject()) {
      Map<String, JsonNode> fields = new TreeMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
      ObjectNode sorted = object();
      fields.forEach(sorted::set);
      return sorted;
    }
    if (node.isArray()) {
      var sorted = MAPPER.createArrayNode();
      node.forEach(element -> sorted.add(sorted(element)));
      return sorted;
    }
    return node;
  }
}
