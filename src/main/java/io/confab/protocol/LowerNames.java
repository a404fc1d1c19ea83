package io.confab.protocol;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The names of enums' constants in lower case, made once for each: as many as there are constants.
final class LowerNames {
  private static final Map<Enum<?>, String> KNOWN = new ConcurrentHashMap<>();

  private LowerNames() {}

  static String of(Enum<?> constant) {
    String known = KNOWN.get(constant);
    return known == null ? KNOWN.computeIfAbsent(constant, LowerNames::make) : known;
  }

  private static String make(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
