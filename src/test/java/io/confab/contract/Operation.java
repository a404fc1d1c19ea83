package io.confab.contract;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One method of one path, as openapi.yaml states it.
///
/// @param path a template such as `/v1/rooms/{room_id}`
/// @param paths those that fit it
/// @param listener empty for the public one, else the server that the path names
/// @param limit the rate limit that calls count against, if any
/// @param body of the request; null where it has none
/// @param responses by status
public record Operation(
    String id,
    String method,
    String path,
    Pattern paths,
    Optional<String> listener,
    Optional<String> limit,
    Map<String, Parameter> query,
    @Nullable Shape body,
    boolean bodyRequired,
    Map<Integer, Response> responses) {

  /// A parameter in the query.
  public record Parameter(boolean required, Shape shape) {}

  /// An answer of one status.
  ///
  /// @param type of its content, and the shape of that; both null where it has none
  /// @param codes those that a refusal may have; empty where it is none
  public record Response(@Nullable String type, @Nullable Shape shape, Set<String> codes) {}

  /// A file of the web client: whatever stands in the query is the page's.
  public boolean isOfThePage() {
    return listener.isEmpty() && !path.startsWith("/v1/");
  }

  boolean matches(String method, String path) {
    return this.method.equals(method) && paths.matcher(path).matches();
  }

  static Pattern paths(String template) {
    return Pattern.compile(template.replaceAll("\\{[a-z_]+}", "[^/]+"));
  }

  /// Whether the path has no part that may be anything.
  boolean isLiteral() {
    return !path.contains("{");
  }

  /// Names of query parameters that must be there.
  List<String> requiredQuery() {
    return query.entrySet().stream()
        .filter(p -> p.getValue().required())
        .map(Map.Entry::getKey)
        .toList();
  }

  public Set<Integer> statuses() {
    return new TreeSet<>(responses.keySet());
  }
}
