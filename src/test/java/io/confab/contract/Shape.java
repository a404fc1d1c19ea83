package io.confab.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A compiled schema (JSON Schema 2020-12). May be used from any thread.
public final class Shape {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Set<String> ALTERNATIVES = Set.of("allOf", "oneOf", "anyOf");
  private static final Set<String> BRANCHES = Set.of("if", "then", "else", "not");

  private final JsonNode source;
  private final Schema schema;

  private Shape(JsonNode source) {
    this.source = source;
    this.schema = REGISTRY.getSchema(source);
  }

  /// A schema as it stands; its references are resolved already.
  public static Shape of(JsonNode schema) {
    return new Shape(schema);
  }

  /// A schema for which an unknown property is a fault. Documents leave answers open, because
  /// clients must ignore what they do not know; tests know everything.
  public static Shape exact(JsonNode schema) {
    return new Shape(closed(schema));
  }

  public JsonNode source() {
    return source;
  }

  /// What is wrong with a value; empty when nothing is.
  public List<String> faults(JsonNode value) {
    return schema.validate(value).stream().map(Object::toString).toList();
  }

  private static JsonNode closed(JsonNode schema) {
    JsonNode copy = inPlace(schema);
    if (copy instanceof ObjectNode object
        && describesObject(object)
        && !object.has("additionalProperties")) {
      object.put("unevaluatedProperties", false);
    }
    return copy;
  }

  /// A copy whose parts are closed. Whether the copy itself is closed depends on its parent: a
  /// branch must allow the properties of its neighbours.
  private static JsonNode inPlace(JsonNode schema) {
    if (!(schema instanceof ObjectNode object)) {
      return schema;
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> keyword : object.properties()) {
      copy.set(keyword.getKey(), part(keyword.getKey(), keyword.getValue()));
    }
    return copy;
  }

  private static JsonNode part(String keyword, JsonNode value) {
    if (keyword.equals("properties")) {
      ObjectNode properties = JsonNodeFactory.instance.objectNode();
      value.properties().forEach(p -> properties.set(p.getKey(), closed(p.getValue())));
      return properties;
    }
    if (keyword.equals("items")) {
      return closed(value);
    }
    if (ALTERNATIVES.contains(keyword)) {
      ArrayNode branches = JsonNodeFactory.instance.arrayNode();
      value.forEach(branch -> branches.add(inPlace(branch)));
      return branches;
    }
    return BRANCHES.contains(keyword) ? inPlace(value) : value;
  }

  private static boolean describesObject(JsonNode schema) {
    if (schema.path("type").asText().equals("object")) {
      return true;
    }
    for (String keyword : ALTERNATIVES) {
      for (JsonNode branch : schema.path(keyword)) {
        if (describesObject(branch)) {
          return true;
        }
      }
    }
    return false;
  }
}
