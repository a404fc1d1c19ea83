package io.confab.config;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// All keys, read off the records of [Config] (`dataDir` is `data_dir`), in their order; and the
/// way back, from values by path to the records.
final class ConfigKeys {
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  private final Map<String, ConfigKey> byPath = new LinkedHashMap<>();

  ConfigKeys() {
    keys("", Config.class).forEach(key -> byPath.put(key.path(), key));
  }

  Stream<ConfigKey> all() {
    return byPath.values().stream();
  }

  Optional<ConfigKey> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /// Whether the path is a group of keys.
  boolean isSection(String path) {
    return byPath.keySet().stream().anyMatch(key -> key.startsWith(path + "."));
  }

  /// Makes the records; `values` holds one for each key.
  Config build(Map<String, Object> values) {
    return build("", Config.class, values);
  }

  private static Stream<ConfigKey> keys(String prefix, Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component ->
                isGroup(component.getType())
                    ? keys(path(prefix, component) + ".", component.getType())
                    : Stream.of(ConfigKey.of(path(prefix, component), component)));
  }

  private static boolean isGroup(Class<?> type) {
    return type.isRecord() && Config.class.equals(type.getEnclosingClass());
  }

  private static <T> T build(String prefix, Class<T> type, Map<String, Object> values) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
    Object[] arguments =
        Arrays.stream(components).map(component -> argument(prefix, component, values)).toArray();
    try {
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }

  private static Object argument(
      String prefix, RecordComponent component, Map<String, Object> values) {
    String path = path(prefix, component);
    if (isGroup(component.getType())) {
      return build(path + ".", component.getType(), values);
    }
    return Optional.ofNullable(values.get(path)).orElseThrow();
  }

  private static String path(String prefix, RecordComponent component) {
    return prefix + CAPITAL.matcher(component.getName()).replaceAll("_$0").toLowerCase(Locale.ROOT);
  }
}
