package io.confab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the list of outside issuers; one mistake makes the whole list unreadable.
final class OutsideIssuerReader {
  private static final int MOST = 32;
  private static final Set<String> KNOWN =
      Set.of("issuer", "audience", "algorithms", "secret", "public_keys", "jwks_url");

  private OutsideIssuerReader() {}

  static Optional<List<OutsideIssuer>> read(JsonNode node) {
    if (!node.isArray() || node.size() > MOST) {
      return Optional.empty();
    }
    List<OutsideIssuer> issuers = new ArrayList<>();
    for (JsonNode element : node) {
      Optional<OutsideIssuer> issuer = issuer(element);
      if (issuer.isEmpty()) {
        return Optional.empty();
      }
      issuers.add(issuer.get());
    }
    return Optional.of(List.copyOf(issuers));
  }

  /// The JSON of a variable; text that is none stays text, which no list is.
  static JsonNode fromText(String text) {
    try {
      return text.isBlank()
          ? JsonNodeFactory.instance.arrayNode()
          : new JsonMapper().readTree(text);
    } catch (JsonProcessingException _) {
      return JsonNodeFactory.instance.textNode(text);
    }
  }

  private static Optional<OutsideIssuer> issuer(JsonNode node) {
    Optional<String> issuer = text(node.path("issuer"));
    Optional<String> audience = text(node.path("audience"));
    Optional<List<TokenAlgorithm>> algorithms =
        texts(node.path("algorithms")).flatMap(OutsideIssuerReader::algorithms);
    Optional<List<String>> publicKeys = texts(node.path("public_keys"));
    if (!node.propertyStream().allMatch(field -> KNOWN.contains(field.getKey()))
        || issuer.isEmpty()
        || audience.isEmpty()
        || algorithms.isEmpty()
        || publicKeys.isEmpty()
        || !isTextOrAbsent(node.path("secret"))
        || !isTextOrAbsent(node.path("jwks_url"))) {
      return Optional.empty();
    }
    return Optional.of(
        new OutsideIssuer(
            issuer.get(),
            audience.get(),
            algorithms.get(),
            text(node.path("secret")).map(Secret::new),
            publicKeys.get(),
            text(node.path("jwks_url"))));
  }

  private static Optional<List<TokenAlgorithm>> algorithms(List<String> names) {
    List<TokenAlgorithm> algorithms =
        names.stream()
            .flatMap(name -> WireName.find(TokenAlgorithm.class, name).stream())
            .distinct()
            .toList();
    return Optional.of(algorithms).filter(a -> !a.isEmpty() && a.size() == names.size());
  }

  private static boolean isTextOrAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull() || node.isTextual();
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node)
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(text -> !text.isBlank());
  }

  private static Optional<List<String>> texts(JsonNode node) {
    if (node.isMissingNode()) {
      return Optional.of(List.of());
    }
    return node.isArray() && node.valueStream().allMatch(JsonNode::isTextual)
        ? Optional.of(node.valueStream().map(JsonNode::textValue).toList())
        : Optional.empty();
  }
}
