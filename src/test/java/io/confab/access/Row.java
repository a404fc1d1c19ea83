package io.confab.access;

import java.util.Map;

/// A row of the matrix.
///
/// @param variant on what the operation acts; may be empty
/// @param forKey whether the API key may do it for an account
record Row(Place place, String operation, String variant, boolean forKey, Map<Who, Verdict> cells) {
  static final String SOCKET = "socket:";

  /// The name of what is to be done.
  String action() {
    return variant.isEmpty() ? operation : operation + " " + variant;
  }

  Verdict cell(Who who) {
    return cells.getOrDefault(who, Verdict.NO_SUCH_CALLER);
  }

  boolean isOfSocket() {
    return operation.startsWith(SOCKET);
  }

  @Override
  public String toString() {
    return place.title() + ": " + action();
  }
}
