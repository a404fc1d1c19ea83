package io.confab.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Judges the frames of a socket by asyncapi.yaml. A frame is named by its `type`, one that has
/// a `kind` by `type kind`.
public final class FrameContract {
  private final Map<String, Shape> client = new LinkedHashMap<>();
  private final Map<String, Shape> server = new LinkedHashMap<>();
  private final Map<String, Set<String>> replies = new TreeMap<>();

  public FrameContract(Documents documents) {
    JsonNode asyncapi = documents.resolved(Documents.ASYNCAPI);
    for (JsonNode operation : asyncapi.get("operations")) {
      boolean fromClient = operation.get("action").asText().equals("receive");
      Set<String> answers = new TreeSet<>();
      for (JsonNode message : operation.path("reply").path("messages")) {
        addTo(server, message, true);
        answers.add(message.get("name").asText());
      }
      for (JsonNode message : operation.get("messages")) {
        addTo(fromClient ? client : server, message, !fromClient);
        if (fromClient) {
          replies.put(message.get("name").asText(), answers);
        }
      }
    }
  }

  private static void addTo(Map<String, Shape> shapes, JsonNode message, boolean exact) {
    Map<String, List<JsonNode>> byName = new LinkedHashMap<>();
    frames(message.get("payload"))
        .forEach(f -> byName.computeIfAbsent(name(f), _ -> new ArrayList<>()).add(f));
    byName.forEach(
        (name, forms) -> {
          JsonNode form = forms.size() == 1 ? forms.getFirst() : oneOf(forms);
          shapes.putIfAbsent(name, exact ? Shape.exact(form) : Shape.of(form));
        });
  }

  /// One frame that has several forms, as a message and its tombstone have.
  private static JsonNode oneOf(List<JsonNode> forms) {
    ObjectNode one = HttpContract.JSON.createObjectNode();
    one.putArray("oneOf").addAll(forms);
    return one;
  }

  private static Stream<JsonNode> frames(JsonNode payload) {
    JsonNode kinds = payload.path("oneOf");
    return kinds.isMissingNode()
        ? Stream.of(payload)
        : Stream.iterate(0, i -> i < kinds.size(), i -> i + 1).flatMap(i -> frames(kinds.get(i)));
  }

  private static String name(JsonNode schema) {
    String kind = constant(schema, "kind");
    return constant(schema, "type") + (kind.isEmpty() ? "" : " " + kind);
  }

  private static String constant(JsonNode schema, String property) {
    String own = schema.path("properties").path(property).path("const").asText();
    if (!own.isEmpty()) {
      return own;
    }
    for (JsonNode part : schema.path("allOf")) {
      String inherited = constant(part, property);
      if (!inherited.isEmpty()) {
        return inherited;
      }
    }
    return "";
  }

  /// The shapes of what clients send, by name.
  public Map<String, Shape> client() {
    return client;
  }

  /// The shapes of what servers send, by name.
  public Map<String, Shape> server() {
    return server;
  }

  /// What is wrong with a server's frame; empty when nothing is.
  public List<String> serverFaults(String text) {
    return faults(server, text);
  }

  /// What is wrong with a client's frame; empty when nothing is.
  public List<String> clientFaults(String text) {
    return faults(client, text);
  }

  /// What is wrong with the answer to a request: its type does not answer the request, or it
  /// accepts what the document refuses.
  public List<String> exchangeFaults(String request, String answer) {
    List<String> wrong = clientFaults(request);
    String type = text(request, "type");
    String answered = text(answer, "type");
    List<String> faults = new ArrayList<>();
    if (!wrong.isEmpty() && !answered.equals("error")) {
      faults.add("it was taken although " + wrong);
    }
    Set<String> possible = replies.get(type);
    if (possible != null && !possible.contains(answered)) {
      faults.add(answered + " does not answer " + type);
    }
    return faults;
  }

  private static List<String> faults(Map<String, Shape> shapes, String text) {
    String kind = text(text, "kind");
    String name = text(text, "type") + (kind.isEmpty() ? "" : " " + kind);
    Shape shape = shapes.get(name);
    return shape == null
        ? List.of("there is no frame '" + name + "'")
        : HttpContract.faults(shape, text);
  }

  private static String text(String frame, String field) {
    try {
      JsonNode value = HttpContract.JSON.readTree(frame).path(field);
      return value.isTextual() ? value.textValue() : "";
    } catch (JsonProcessingException e) {
      return "";
    }
  }
}
