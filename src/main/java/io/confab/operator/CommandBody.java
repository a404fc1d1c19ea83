package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.Refusal;
import org.jspecify.annotations.Nullable;

/// The arguments of an operator's command.
record CommandBody(JsonNode json) {
  /// An answer to fill.
  static ObjectNode answer() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Refusal: `invalid_field` where it is missing.
  String text(String field) {
    String text = optional(field);
    if (text == null) {
      throw Refusal.invalidField(field, "is missing");
    }
    return text;
  }

  @Nullable String optional(String field) {
    return json.path(field).textValue();
  }

  boolean flag(String field, boolean usual) {
    return json.path(field).asBoolean(usual);
  }
}
