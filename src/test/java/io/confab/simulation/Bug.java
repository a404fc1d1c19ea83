package io.confab.simulation;

import java.util.List;

/// A planted bug: places of the product's sources that say something else.
///
/// @param check what finds it: a simulation, a class of tests, or one test of a class after a `#`
public record Bug(String name, String check, List<Edit> edits) {
  /// @param file below `src/main`
  /// @param snippet stands there once
  public record Edit(String file, String snippet, String instead) {}

  public static Bug of(String name, String check, String file, String snippet, String instead) {
    return new Bug(name, check, List.of(new Edit(file, snippet, instead)));
  }

  public Bug and(String file, String snippet, String instead) {
    List<Edit> more = new java.util.ArrayList<>(edits);
    more.add(new Edit(file, snippet, instead));
    return new Bug(name, check, more);
  }
}
