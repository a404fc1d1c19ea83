package io.confab.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The types that a key can have: how each is read from YAML and from the text of a variable.
enum ValueType {
  TEXT("java.lang.String", "a text") {
    @Override
    Optional<?> read(JsonNode node) {
      return text(node);
    }
  },
  OPTIONAL_TEXT("java.util.Optional<java.lang.String>", "a text, or empty") {
    @Override
    Optional<?> read(JsonNode node) {
      return node.isNull() || node.isTextual() ? Optional.of(filled(node)) : Optional.empty();
    }
  },
  SECRET("java.util.Optional<io.confab.protocol.Secret>", "a text, or empty") {
    @Override
    Optional<?> read(JsonNode node) {
      return node.isNull() || node.isTextual()
          ? Optional.of(filled(node).map(Secret::new))
          : Optional.empty();
    }
  },
  FOLDER("java.nio.file.Path", "a folder's path") {
    @Override
    Optional<?> read(JsonNode node) {
      return text(node).filter(t -> !t.isBlank()).flatMap(ValueType::path);
    }
  },
  FILE("java.util.Optional<java.nio.file.Path>", "a file's path, or empty") {
    @Override
    Optional<?> read(JsonNode node) {
      return node.isNull() || node.isTextual()
          ? Optional.of(filled(node).flatMap(ValueType::path))
          : Optional.empty();
    }
  },
  TLS_MODE("io.confab.config.TlsMode", "one of " + names(TlsMode.class)) {
    @Override
    Optional<?> read(JsonNode node) {
      return text(node).flatMap(name -> WireName.find(TlsMode.class, name));
    }
  },
  NUMBER("int", "a whole number") {
    @Override
    Optional<?> read(JsonNode node) {
      return Optional.of(node)
          .filter(JsonNode::canConvertToInt)
          .filter(JsonNode::isIntegralNumber)
          .map(JsonNode::intValue);
    }

    @Override
    JsonNode fromText(String text) {
      return text.matches("-?\\d{1,10}")
          ? NODES.numberNode(Long.parseLong(text))
          : super.fromText(text);
    }
  },
  SWITCH("boolean", "true or false") {
    @Override
    Optional<?> read(JsonNode node) {
      return Optional.of(node).filter(JsonNode::isBoolean).map(JsonNode::booleanValue);
    }

    @Override
    JsonNode fromText(String text) {
      return text.matches("true|false")
          ? NODES.booleanNode(text.equals("true"))
          : super.fromText(text);
    }
  },
  DURATION("java.time.Duration", "a duration in ms, s, m, h or d") {
    @Override
    Optional<?> read(JsonNode node) {
      return text(node).flatMap(DurationText::parse);
    }
  },
  RATE("io.confab.config.Rate", "a rate such as 50/s burst 500 or 300/15m burst 300") {
    @Override
    Optional<?> read(JsonNode node) {
      return text(node).flatMap(Rate::parse);
    }
  },
  TEXTS("java.util.List<java.lang.String>", "a list of texts") {
    @Override
    Optional<?> read(JsonNode node) {
      return texts(node);
    }

    @Override
    JsonNode fromText(String text) {
      return list(text);
    }
  },
  ISSUERS("java.util.List<io.confab.config.OutsideIssuer>", "a list of issuers") {
    @Override
    Optional<?> read(JsonNode node) {
      return new OutsideIssuerReader(node).issuers();
    }

    @Override
    List<ConfigFault> faults(JsonNode node) {
      return new OutsideIssuerReader(node).faults();
    }

    @Override
    JsonNode fromText(String text) {
      return OutsideIssuerReader.fromText(text);
    }
  },
  ROLES(
      "java.util.Set<io.confab.config.NodeRole>",
      "a list of at least one of " + names(NodeRole.class)) {
    @Override
    Optional<?> read(JsonNode node) {
      return texts(node).flatMap(ValueType::roles);
    }

    @Override
    JsonNode fromText(String text) {
      return list(text);
    }
  };

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final String javaType;
  private final String says;

  ValueType(String javaType, String says) {
    this.javaType = javaType;
    this.says = says;
  }

  static ValueType of(Type type) {
    return Arrays.stream(values())
        .filter(t -> t.javaType.equals(type.getTypeName()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no configuration type for " + type));
  }

  /// What is allowed, for a reader.
  String says() {
    return says;
  }

  /// The value, or empty when the node is of another type.
  abstract Optional<?> read(JsonNode node);

  /// What is wrong with a node that cannot be read, where more can be said than what is allowed.
  List<ConfigFault> faults(JsonNode node) {
    return List.of();
  }

  /// The node that the text of a variable or an argument stands for.
  JsonNode fromText(String text) {
    return NODES.textNode(text);
  }

  /// A value as the file would write it; a secret is hidden.
  static String show(Object value) {
    return switch (value) {
      case Optional<?> optional -> optional.map(ValueType::show).orElse("\"\"");
      case Duration duration -> DurationText.of(duration);
      case WireName named -> named.wire();
      case Set<?> set -> set.stream().map(ValueType::show).toList().toString();
      case String text when text.isEmpty() -> "\"\"";
      default -> value.toString();
    };
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  private static Optional<String> filled(JsonNode node) {
    return text(node).filter(text -> !text.isEmpty());
  }

  private static Optional<Path> path(String text) {
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<List<String>> texts(JsonNode node) {
    if (!node.isArray() || !node.valueStream().allMatch(JsonNode::isTextual)) {
      return Optional.empty();
    }
    return Optional.of(node.valueStream().map(JsonNode::textValue).toList());
  }

  private static Optional<Set<NodeRole>> roles(List<String> names) {
    Set<NodeRole> roles = EnumSet.noneOf(NodeRole.class);
    names.forEach(name -> WireName.find(NodeRole.class, name).ifPresent(roles::add));
    return Optional.of(roles).filter(r -> !r.isEmpty() && r.size() == names.size());
  }

  private static <E extends Enum<E> & WireName> String names(Class<E> type) {
    return WireName.constants(type).map(WireName::wire).collect(Collectors.joining(", "));
  }

  private static JsonNode list(String text) {
    var array = NODES.arrayNode();
    Stream.of(text.split(",")).map(String::strip).filter(t -> !t.isEmpty()).forEach(array::add);
    return array;
  }
}
