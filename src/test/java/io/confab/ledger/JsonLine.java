package io.confab.ledger;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes entries as lines of JSON: the type as `op`, then the fields in snake_case. For one thread
/// at a time.
final class JsonLine {
  private final Map<Class<?>, List<Field>> fields = new HashMap<>();

  private record Field(String name, RecordComponent component) {}

  String of(Entry entry) {
    StringBuilder line = new StringBuilder(200);
    line.append("{\"op\":\"").append(snake(entry.getClass().getSimpleName())).append('"');
    for (Field field : fields.computeIfAbsent(entry.getClass(), JsonLine::fields)) {
      line.append(",\"").append(field.name()).append("\":");
      append(line, value(entry, field.component()));
    }
    return line.append("}\n").toString();
  }

  private static List<Field> fields(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(component -> new Field(snake(component.getName()), component))
        .toList();
  }

  private static Object value(Entry entry, RecordComponent field) {
    try {
      return field.getAccessor().invoke(entry);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void append(StringBuilder line, Object value) {
    if (value instanceof String text) {
      line.append('"');
      text.chars().forEach(c -> append(line, (char) c));
      line.append('"');
    } else {
      line.append(value);
    }
  }

  private static void append(StringBuilder line, char c) {
    if (c == '"' || c == '\\') {
      line.append('\\').append(c);
    } else if (c < ' ') {
      line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
    } else {
      line.append(c);
    }
  }

  private static String snake(String name) {
    return name.replaceAll("(?<=[a-z])([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
