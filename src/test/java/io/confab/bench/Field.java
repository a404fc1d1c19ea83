package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The contestants of one part, all of which run until it ends. One that cannot be had is left out
/// with a word.
final class Field implements AutoCloseable {
  private final Options options;
  private final Map<String, Contestant> all = new LinkedHashMap<>();

  Field(Options options) {
    this.options = options;
  }

  /// Starts it when it is to take part.
  @SuppressWarnings("SystemOut")
  Field with(String name, Supplier<Contestant> contestant) {
    if (options.contestants().contains(name)) {
      try {
        all.put(name, contestant.get());
      } catch (IllegalStateException missing) {
        System.out.println(name + " is left out: " + missing.getMessage());
      }
    }
    return this;
  }

  List<Contestant> contestants() {
    return List.copyOf(all.values());
  }

  boolean has(String name) {
    return all.containsKey(name);
  }

  @Override
  public void close() {
    new ArrayList<>(all.values()).reversed().forEach(Contestant::close);
  }
}
