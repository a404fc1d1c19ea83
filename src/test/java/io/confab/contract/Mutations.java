package io.confab.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.contract.Mutation.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Makes wrong values from a right one and its schema: each has one field dropped, of another
/// type, unknown or out of its bounds, at whatever depth.
public final class Mutations {
  private static final JsonNodeFactory MADE = JsonNodeFactory.instance;
  private static final String UNKNOWN = "zzz";
  private static final List<JsonNode> OF_EACH_TYPE =
      List.of(
          MADE.objectNode().put("a", 1),
          MADE.arrayNode().add("a"),
          MADE.nullNode(),
          MADE.booleanNode(true),
          MADE.numberNode(1),
          MADE.numberNode(1.5),
          MADE.textNode("1"));

  private final ObjectNode right;
  private final List<Mutation> made = new ArrayList<>();

  private Mutations(ObjectNode right) {
    this.right = right;
  }

  /// All mutations of a value that its schema accepts.
  public static List<Mutation> of(JsonNode schema, ObjectNode right) {
    Mutations mutations = new Mutations(right);
    mutations.object(schema, right, "", "");
    return mutations.made;
  }

  private void object(JsonNode schema, ObjectNode value, String pointer, String prefix) {
    add(What.UNKNOWN, pointer, prefix, UNKNOWN, MADE.numberNode(1));
    Map<String, JsonNode> properties = properties(schema, value);
    Set<String> required = required(schema, value);
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String name = field.getKey();
      JsonNode stated = properties.getOrDefault(name, MADE.objectNode());
      if (required.contains(name)) {
        add(What.DROPPED, pointer, prefix, name, MADE.missingNode());
      }
      for (JsonNode wrong : wrongTypes(field.getValue())) {
        add(What.OF_ANOTHER_TYPE, pointer, prefix, name, wrong);
      }
      for (JsonNode wrong : outOfBounds(stated, field.getValue())) {
        add(What.OUT_OF_BOUNDS, pointer, prefix, name, wrong);
      }
      value(stated, field.getValue(), pointer + "/" + name, prefix + name);
    }
  }

  private void value(JsonNode schema, JsonNode value, String pointer, String path) {
    if (value instanceof ObjectNode object) {
      object(schema, object, pointer, path + ".");
    } else if (value instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        for (JsonNode wrong : wrongTypes(array.get(i))) {
          add(What.OF_ANOTHER_TYPE, pointer, path, i, wrong);
        }
        value(schema.path("items"), array.get(i), pointer + "/" + i, path + "[" + i + "]");
      }
    }
  }

  private void add(What what, String pointer, String prefix, String name, JsonNode wrong) {
    ObjectNode copy = right.deepCopy();
    ObjectNode at = (ObjectNode) copy.at(pointer);
    if (wrong.isMissingNode()) {
      at.remove(name);
    } else {
      at.set(name, wrong);
    }
    made.add(new Mutation(what, prefix + name, copy));
  }

  private void add(What what, String pointer, String path, int index, JsonNode wrong) {
    ObjectNode copy = right.deepCopy();
    ((ArrayNode) copy.at(pointer)).set(index, wrong);
    made.add(new Mutation(what, path + "[" + index + "]", copy));
  }

  private static List<JsonNode> wrongTypes(JsonNode right) {
    return OF_EACH_TYPE.stream()
        .filter(
            wrong -> wrong.getNodeType() != right.getNodeType() || wrong.isFloatingPointNumber())
        .toList();
  }

  private static List<JsonNode> outOfBounds(JsonNode schema, JsonNode value) {
    List<JsonNode> wrong = new ArrayList<>();
    number(schema, "maxLength")
        .ifPresent(n -> wrong.add(MADE.textNode("x".repeat(Math.toIntExact(n) + 1))));
    number(schema, "minLength")
        .ifPresent(n -> wrong.add(MADE.textNode("x".repeat(Math.toIntExact(n) - 1))));
    number(schema, "minimum").ifPresent(n -> wrong.add(MADE.numberNode(n - 1)));
    number(schema, "maximum").ifPresent(n -> wrong.add(MADE.numberNode(n + 1)));
    number(schema, "maxItems")
        .ifPresent(n -> wrong.add(repeated(value.get(0), Math.toIntExact(n) + 1)));
    if (schema.has("pattern")) {
      wrong.add(MADE.textNode("é"));
    }
    if (schema.has("enum") && value.isTextual()) {
      wrong.add(MADE.textNode(UNKNOWN));
    }
    return wrong;
  }

  private static Optional<Long> number(JsonNode schema, String keyword) {
    return Optional.of(schema.path(keyword)).filter(JsonNode::isNumber).map(JsonNode::longValue);
  }

  private static ArrayNode repeated(JsonNode element, int times) {
    ArrayNode array = MADE.arrayNode();
    for (int i = 0; i < times; i++) {
      array.add(element);
    }
    return array;
  }

  /// The properties that a schema states for a value, those of its parts with them.
  static Map<String, JsonNode> properties(JsonNode schema, JsonNode value) {
    Map<String, JsonNode> properties = new TreeMap<>();
    for (JsonNode part : parts(schema, value)) {
      properties.putAll(properties(part, value));
    }
    schema.path("properties").properties().forEach(p -> properties.put(p.getKey(), p.getValue()));
    return properties;
  }

  static Set<String> required(JsonNode schema, JsonNode value) {
    Set<String> required = new TreeSet<>();
    for (JsonNode part : parts(schema, value)) {
      required.addAll(required(part, value));
    }
    schema.path("required").forEach(name -> required.add(name.asText()));
    return required;
  }

  private static List<JsonNode> parts(JsonNode schema, JsonNode value) {
    List<JsonNode> parts = new ArrayList<>();
    schema.path("allOf").forEach(parts::add);
    for (JsonNode branch : schema.path("oneOf")) {
      if (Shape.of(branch).faults(value).isEmpty()) {
        parts.add(branch);
      }
    }
    return parts;
  }
}
