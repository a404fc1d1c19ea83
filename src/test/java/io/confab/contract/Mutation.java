package io.confab.contract;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A value that was right until one thing in it was changed.
///
/// @param field path of what is wrong, as the server names it: `device.name`, `rooms[0].rev`
/// @param json the whole value
public record Mutation(What what, String field, ObjectNode json) {

  /// What was done to the field.
  public enum What {
    DROPPED,
    OF_ANOTHER_TYPE,
    UNKNOWN,
    OUT_OF_BOUNDS
  }

  @Override
  public String toString() {
    return what + " " + field + " in " + json;
  }
}
