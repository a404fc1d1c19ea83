package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The comparisons by emoji that are under way. They are in memory alone: who is killed begins
/// anew. One that takes longer than ten minutes ends, and a device has one at a time.
public final class Comparisons {
  Comparisons() {}

  /// The device with which somebody's identity is compared: the newest that it signed. Of a changed
  /// identity that is a device of the new one.
  public Optional<RoomDevice> partner(AccountId account) {
    throw new UnsupportedOperationException();
  }

  /// Begins one with a device, with which there is a session.
  public Comparison begin(RoomDevice with, Instant now) {
    throw new UnsupportedOperationException();
  }

  /// Takes a step of the other device, out of the inbox too; empty: it is a step of none.
  public Optional<Comparison> take(Note note, Instant now) {
    throw new UnsupportedOperationException();
  }

  /// The person says whether both see the same; empty: there is nothing to compare.
  public Optional<Comparison> matches(String id, boolean same) {
    throw new UnsupportedOperationException();
  }

  /// The person does not go on; empty: there is none.
  public Optional<Comparison> cancel(String id) {
    throw new UnsupportedOperationException();
  }

  /// Ends those that take too long.
  public List<Comparison> endOverdue(Instant now) {
    throw new UnsupportedOperationException();
  }
}
