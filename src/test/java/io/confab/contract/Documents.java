package io.confab.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The documents that state the shapes, as they stand and with their references resolved.
public final class Documents {
  public static final String OPENAPI = "openapi.yaml";
  public static final String ASYNCAPI = "asyncapi.yaml";
  private static final int DEPTH = 100;

  private final Map<String, JsonNode> files = new TreeMap<>();
  private final Set<String> referred = new TreeSet<>();

  public Documents() {
    files.put(OPENAPI, read(OPENAPI));
    files.put(ASYNCAPI, read(ASYNCAPI));
  }

  private static JsonNode read(String file) {
    try {
      return new YAMLMapper().readTree(Path.of("docs", file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A document as it stands.
  public JsonNode source(String file) {
    JsonNode source = files.get(file);
    if (source == null) {
      throw new AssertionError("no such document: " + file);
    }
    return source;
  }

  /// A whole document in which every `$ref`, into either document, is replaced by its target.
  public JsonNode resolved(String file) {
    return resolve(file, source(file), 0);
  }

  /// The references that were followed so far, as `openapi.yaml#/components/schemas/Id`.
  public Set<String> referred() {
    return referred;
  }

  private JsonNode resolve(String file, JsonNode node, int depth) {
    if (depth > DEPTH) {
      throw new AssertionError("references go round in " + file);
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      array.forEach(element -> copy.add(resolve(file, element, depth + 1)));
      return copy;
    }
    if (node instanceof ObjectNode object) {
      JsonNode ref = object.get("$ref");
      return ref != null && ref.isTextual()
          ? follow(file, ref.textValue(), depth)
          : resolveFields(file, object, depth);
    }
    return node;
  }

  private JsonNode resolveFields(String file, ObjectNode object, int depth) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      copy.set(field.getKey(), resolve(file, field.getValue(), depth + 1));
    }
    return copy;
  }

  private JsonNode follow(String from, String ref, int depth) {
    String[] parts = ref.split("#", 2);
    String file = parts[0].isEmpty() ? from : parts[0];
    JsonNode target = source(file).at(parts[1]);
    if (target.isMissingNode()) {
      throw new AssertionError(from + " refers to " + ref + ", which is not there");
    }
    referred.add(file + "#" + parts[1]);
    return resolve(file, target, depth + 1);
  }
}
