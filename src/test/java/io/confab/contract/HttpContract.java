package io.confab.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.confab.contract.Operation.Parameter;
import io.confab.contract.Operation.Response;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Judges calls over HTTP by openapi.yaml.
public final class HttpContract {
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "patch", "head", "options", "trace");
  private static final String PROBLEM = "application/problem+json";
  private static final int SUCCESS_END = 300;
  private static final int NO_CONTENT = 204;

  private final List<Operation> operations;
  private final Shape error;
  private final Shape problem;

  public HttpContract(Documents documents) {
    JsonNode openapi = documents.resolved(Documents.OPENAPI);
    List<Operation> read = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : openapi.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (METHODS.contains(method.getKey())) {
          read.add(operation(path.getKey(), path.getValue(), method));
        }
      }
    }
    read.sort(Comparator.comparing(Operation::isLiteral).reversed());
    operations = List.copyOf(read);
    error = Shape.exact(openapi.at("/components/schemas/Refusal"));
    problem = Shape.exact(openapi.at("/components/schemas/Problem"));
  }

  private static Operation operation(
      String path, JsonNode item, Map.Entry<String, JsonNode> method) {
    JsonNode stated = method.getValue();
    Map<String, Parameter> query = new TreeMap<>();
    for (JsonNode parameters : List.of(item.path("parameters"), stated.path("parameters"))) {
      for (JsonNode parameter : parameters) {
        if (parameter.get("in").asText().equals("query")) {
          query.put(
              parameter.get("name").asText(),
              new Parameter(
                  parameter.path("required").asBoolean(), Shape.of(parameter.get("schema"))));
        }
      }
    }
    Map<Integer, Response> responses = new TreeMap<>();
    stated
        .get("responses")
        .properties()
        .forEach(r -> responses.put(Integer.valueOf(r.getKey()), response(r.getValue())));
    JsonNode body = stated.at("/requestBody/content/application~1json/schema");
    return new Operation(
        stated.get("operationId").asText(),
        method.getKey().toUpperCase(Locale.ROOT),
        path,
        Operation.paths(path),
        Optional.ofNullable(item.at("/servers/0/url").textValue()),
        Optional.ofNullable(stated.path("x-limit").textValue()),
        query,
        body.isMissingNode() ? null : Shape.of(body),
        stated.at("/requestBody/required").asBoolean(),
        responses);
  }

  private static Response response(JsonNode stated) {
    JsonNode content = stated.path("content");
    if (content.isMissingNode()) {
      return new Response(null, null, Set.of());
    }
    Map.Entry<String, JsonNode> only = content.properties().iterator().next();
    Set<String> codes = new TreeSet<>();
    stated.path("x-codes").forEach(code -> codes.add(code.asText()));
    return new Response(only.getKey(), Shape.exact(only.getValue().get("schema")), codes);
  }

  public List<Operation> operations() {
    return operations;
  }

  /// The shape of every refusal.
  public Shape error() {
    return error;
  }

  /// The bodies that have fields, by operation.
  public static Map<String, Shape> bodies(List<Operation> operations) {
    Map<String, Shape> bodies = new TreeMap<>();
    for (Operation operation : operations) {
      Shape body = operation.body();
      if (body != null && body.source().has("properties")) {
        bodies.put(operation.id(), body);
      }
    }
    return bodies;
  }

  /// A call and its answer, as a test saw them.
  ///
  /// @param path with the query
  /// @param contentType of the answer
  public record Exchange(
      String method,
      String path,
      @Nullable String request,
      int status,
      Optional<String> contentType,
      String answer) {}

  /// What the document does not state about an exchange; empty when nothing is wrong.
  public List<String> faults(Exchange exchange) {
    String path = exchange.path().split("\\?", 2)[0];
    boolean head = exchange.method().equals("HEAD");
    String method = head ? "GET" : exchange.method();
    Optional<Operation> operation =
        operations.stream().filter(o -> o.matches(method, path)).findFirst();
    if (head && operation.isPresent()) {
      return operation.get().responses().containsKey(exchange.status())
          ? List.of()
          : List.of(operation.get().id() + " has no answer " + exchange.status());
    }
    if (operation.isEmpty()) {
      return exchange.status() == NO_CONTENT && exchange.method().equals("OPTIONS")
          ? List.of()
          : noOperation(exchange);
    }
    List<String> faults = new ArrayList<>(answerFaults(operation.get(), exchange));
    if (exchange.status() < SUCCESS_END) {
      faults.addAll(requestFaults(operation.get(), exchange));
    }
    return faults;
  }

  private List<String> noOperation(Exchange exchange) {
    return exchange.status() == 404 || exchange.status() == 405
        ? refusalFaults(exchange)
        : List.of("there is no such operation");
  }

  private List<String> refusalFaults(Exchange exchange) {
    return isProblem(exchange) ? problemFaults(exchange.answer()) : errorFaults(exchange.answer());
  }

  private static boolean isProblem(Exchange exchange) {
    return exchange.contentType().equals(Optional.of(PROBLEM));
  }

  /// What is wrong with a refusal as a problem.
  public List<String> problemFaults(String answer) {
    return faults(problem, answer);
  }

  /// The shape of every refusal as a problem.
  public Shape problem() {
    return problem;
  }

  /// What is wrong with the content of any refusal.
  public List<String> errorFaults(String answer) {
    return faults(error, answer);
  }

  private List<String> answerFaults(Operation operation, Exchange exchange) {
    Response response = operation.responses().get(exchange.status());
    if (response == null) {
      return List.of(operation.id() + " has no answer " + exchange.status());
    }
    Shape shape = response.shape();
    String type = response.type();
    if (shape == null || type == null) {
      return exchange.answer().isEmpty() ? List.of() : List.of("the answer has a content");
    }
    if (isProblem(exchange) && !response.codes().isEmpty()) {
      return refusalFaults(exchange);
    }
    if (!exchange.contentType().map(t -> t.split(";", 2)[0]).equals(Optional.of(type))) {
      return List.of("the content is " + exchange.contentType() + " instead of " + type);
    }
    return switch (type) {
      case "application/json" -> jsonFaults(response, shape, exchange.answer());
      case "application/x-ndjson" ->
          exchange.answer().lines().flatMap(line -> faults(shape, line).stream()).toList();
      default -> List.of();
    };
  }

  private static List<String> jsonFaults(Response response, Shape shape, String answer) {
    List<String> faults = faults(shape, answer);
    if (!faults.isEmpty() || response.codes().isEmpty()) {
      return faults;
    }
    String code = tree(answer).at("/error/code").asText();
    return response.codes().contains(code) ? List.of() : List.of("not with the code " + code);
  }

  /// What the server accepted although the document refuses it.
  private static List<String> requestFaults(Operation operation, Exchange exchange) {
    List<String> faults = new ArrayList<>();
    Map<String, String> query = query(exchange.path());
    query.keySet().stream()
        .filter(name -> !operation.isOfThePage() && !operation.query().containsKey(name))
        .forEach(name -> faults.add("the parameter " + name + " was taken"));
    operation.requiredQuery().stream()
        .filter(name -> !query.containsKey(name))
        .forEach(name -> faults.add("no " + name + " was taken"));
    Shape body = operation.body();
    String request = exchange.request();
    if (request != null && !request.isEmpty()) {
      faults.addAll(body == null ? List.of("a body was taken") : faults(body, request));
    } else if (operation.bodyRequired()) {
      faults.add("no body was taken");
    }
    return faults;
  }

  static Map<String, String> query(String path) {
    Map<String, String> query = new TreeMap<>();
    String[] parts = path.split("\\?", 2);
    if (parts.length == 2) {
      for (String parameter : parts[1].split("&", -1)) {
        String[] pair = parameter.split("=", 2);
        query.put(pair[0], pair.length == 1 ? "" : decoded(pair[1]));
      }
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  static List<String> faults(Shape shape, String json) {
    JsonNode tree = tree(json);
    return tree.isMissingNode() ? List.of("it is not JSON") : shape.faults(tree);
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
