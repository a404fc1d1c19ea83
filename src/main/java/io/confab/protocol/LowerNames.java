package io.confab.protocol;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The names of enums' constants in lower case, made once for each.
final class LowerNames {
  private static final Map<Enum<?>, String> KNOWN = new ConcurrentHashMap<>();

  private LowerNames() {}

  static String of(Enum<?> constant) {
    return KNOWN.computeIfAbsent(constant, known -> known.name().toLowerCase(Locale.ROOT));
  }
}
