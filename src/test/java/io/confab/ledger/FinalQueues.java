package io.confab.ledger;

import java.util.Map;
import java.util.Set;

/// What stands in the queues of sealed rooms' devices at the end, and what became of messages.
///
/// @param queues of the devices that were not removed, by registration
/// @param states as the tables have them
/// @param asked members who asked what became of their messages
/// @param told what they were answered
public record FinalQueues(
    long epoch,
    Map<Long, Waiting> queues,
    Map<Addressed, String> states,
    Set<FinalMarks.Place> asked,
    Map<Addressed, String> told) {
  /// Nobody looked.
  public static final FinalQueues NONE = new FinalQueues(0, Map.of(), Map.of(), Set.of(), Map.of());

  /// A queue as its table has it.
  ///
  /// @param acknowledged up to which number
  public record Waiting(long acknowledged, long last) {
    public boolean isEmpty() {
      return acknowledged == last;
    }
  }

  /// A message of a sealed room, at an account.
  public record Addressed(String room, long seq, String account) {}
}
