package io.confab.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.Secret;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One key: its path, type and limits, as the records of [Config] declare them.
record ConfigKey(String path, ValueType type, @Nullable Range range, @Nullable Form form) {
  static ConfigKey of(String path, RecordComponent component) {
    return new ConfigKey(
        path,
        ValueType.of(component.getGenericType()),
        component.getAnnotation(Range.class),
        component.getAnnotation(Form.class));
  }

  /// The environment variable that sets it.
  String variable() {
    return "CONFAB_" + path.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /// What a value must be, for a reader.
  String allowed() {
    if (form != null) {
      return form.says();
    }
    return range == null ? type.says() : type.says() + ", " + low() + " to " + high();
  }

  /// The value, or empty when it is of the wrong type, out of range or of the wrong form.
  Optional<?> read(JsonNode node) {
    return type.read(node).filter(this::isWithinRange).filter(this::hasForm);
  }

  /// What is wrong with a node that [#read] does not take: part by part, where its type can tell.
  List<ConfigProblem> problems(JsonNode node, String source) {
    List<ConfigFault> faults = type.faults(node);
    return faults.isEmpty()
        ? List.of(new ConfigProblem(path, show(node), allowed(), source))
        : faults.stream()
            .map(fault -> new ConfigProblem(path + fault.place(), null, fault.says(), source))
            .toList();
  }

  /// What was given, for a message.
  String show(JsonNode node) {
    return type == ValueType.SECRET || type == ValueType.ISSUERS
        ? "***"
        : node.isTextual() ? node.textValue() : node.toString();
  }

  private boolean isWithinRange(Object value) {
    return switch (value) {
      case Integer number when range != null ->
          number >= Integer.parseInt(low()) && number <= Integer.parseInt(high());
      case Duration duration when range != null ->
          duration.compareTo(bound(low())) >= 0 && duration.compareTo(bound(high())) <= 0;
      default -> true;
    };
  }

  private boolean hasForm(Object value) {
    if (form == null) {
      return true;
    }
    return switch (value) {
      case List<?> list -> list.stream().allMatch(this::hasForm);
      case Optional<?> optional -> optional.map(this::hasForm).orElse(true);
      case Secret secret -> secret.value().matches(form.value());
      default -> value.toString().matches(form.value());
    };
  }

  private String low() {
    return bounds()[0];
  }

  private String high() {
    return bounds()[1];
  }

  private String[] bounds() {
    return range == null ? new String[] {"", ""} : range.value().split("\\.\\.", 2);
  }

  private static Duration bound(String text) {
    return DurationText.parse(text).orElseThrow();
  }
}
