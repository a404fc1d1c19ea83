package io.confab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads the list of outside issuers, and names every part that is wrong.
final class OutsideIssuerReader {
  private static final int MOST = 32;
  private static final List<String> KNOWN =
      List.of("issuer", "audience", "algorithms", "secret", "public_keys", "jwks_url");

  private static final String ALGORITHMS =
      WireName.constants(TokenAlgorithm.class)
          .map(WireName::wire)
          .collect(Collectors.joining(", "));

  private final List<ConfigFault> faults = new ArrayList<>();
  private final List<OutsideIssuer> issuers = new ArrayList<>();

  /// Reads the list, and what is wrong with it.
  OutsideIssuerReader(JsonNode node) {
    if (!node.isArray() || node.size() > MOST) {
      fault("", "must be a list of at most " + MOST + " issuers");
      return;
    }
    for (int i = 0; i < node.size(); i++) {
      issuer("[" + i + "]", node.get(i));
    }
  }

  Optional<List<OutsideIssuer>> issuers() {
    return faults.isEmpty() ? Optional.of(List.copyOf(issuers)) : Optional.empty();
  }

  List<ConfigFault> faults() {
    return List.copyOf(faults);
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

  private void issuer(String place, JsonNode node) {
    if (!node.isObject()) {
      fault(place, "must be an issuer with " + String.join(", ", KNOWN));
      return;
    }
    node.propertyStream()
        .map(field -> field.getKey())
        .filter(name -> !KNOWN.contains(name))
        .forEach(
            name ->
                fault(
                    place + "." + name,
                    "unknown part"
                        + Nearest.to(name, KNOWN.stream())
                            .map(k -> "; did you mean " + k + "?")
                            .orElse("")));
    issuers.add(
        new OutsideIssuer(
            needed(place, node, "issuer"),
            needed(place, node, "audience"),
            algorithms(place + ".algorithms", node.path("algorithms")),
            text(place, node, "secret").map(Secret::new),
            publicKeys(place + ".public_keys", node.path("public_keys")),
            text(place, node, "jwks_url")));
  }

  private String needed(String place, JsonNode node, String name) {
    Optional<String> text = text(place, node, name);
    if (text.isEmpty() && isAbsentOrText(node.path(name))) {
      fault(place + "." + name, "must be there, a text");
    }
    return text.orElse("");
  }

  private Optional<String> text(String place, JsonNode node, String name) {
    if (!isAbsentOrText(node.path(name))) {
      fault(place + "." + name, "must be a text");
    }
    return Optional.ofNullable(node.path(name).textValue()).filter(text -> !text.isBlank());
  }

  private static boolean isAbsentOrText(JsonNode node) {
    return node.isMissingNode() || node.isNull() || node.isTextual();
  }

  private List<TokenAlgorithm> algorithms(String place, JsonNode node) {
    if (!node.isArray() || node.isEmpty()) {
      fault(place, "must be a list of at least one of " + ALGORITHMS);
      return List.of();
    }
    List<TokenAlgorithm> known = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      Optional<TokenAlgorithm> named = WireName.find(TokenAlgorithm.class, node.get(i).asText());
      if (named.isEmpty()) {
        fault(place + "[" + i + "]", "must be one of " + ALGORITHMS);
      }
      named.filter(algorithm -> !known.contains(algorithm)).ifPresent(known::add);
    }
    return List.copyOf(known);
  }

  /// A JWK may be written as an object, or as the text of one.
  private List<String> publicKeys(String place, JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return List.of();
    }
    if (!node.isArray()) {
      fault(place, "must be a list of keys, each in PEM or a JWK");
      return List.of();
    }
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      JsonNode key = node.get(i);
      if (key.isObject() || (key.isTextual() && !key.asText().isBlank())) {
        keys.add(key.isObject() ? key.toString() : key.textValue());
      } else {
        fault(place + "[" + i + "]", "must be a key in PEM, or a JWK as an object or its text");
      }
    }
    return List.copyOf(keys);
  }

  private void fault(String place, String says) {
    faults.add(new ConfigFault(place, says));
  }
}
