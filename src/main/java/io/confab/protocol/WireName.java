package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.stream.Stream;

/// An enum whose constants have one name outside of Java: in frames, answers, the database, the
/// configuration and metrics. It is the constant in lower case, unless the enum says otherwise.
public interface WireName {
  String name();

  @JsonValue
  default String wire() {
    return LowerNames.of((Enum<?>) this);
  }

  static <E extends Enum<E> & WireName> Optional<E> find(Class<E> type, String wire) {
    return constants(type).filter(constant -> constant.wire().equals(wire)).findFirst();
  }

  /// The constant of a name that the server wrote itself.
  static <E extends Enum<E> & WireName> E of(Class<E> type, String wire) {
    return find(type, wire)
        .orElseThrow(() -> new IllegalStateException("no " + type.getSimpleName() + ": " + wire));
  }

  static <E extends Enum<E> & WireName> Stream<E> constants(Class<E> type) {
    return Stream.of(type.getEnumConstants());
  }
}
