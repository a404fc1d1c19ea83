package io.confab.account;

/// How often something changed that the sessions of an account must know: a membership began or
/// ended, or a sign-in ended. Rises with each such commit.
///
/// @param markers the same for markers and receipts of the account
/// @param at when this was read, in milliseconds since 1970 by PostgreSQL's clock
public record ChangeCount(long value, long markers, long at) {
  /// A count of an account without markers.
  public ChangeCount(long value) {
    this(value, 0, 0);
  }

  public boolean isAfter(ChangeCount other) {
    return value > other.value;
  }

  /// Whether markers or receipts have changed since the other one was read.
  public boolean hasMovedSince(ChangeCount other) {
    return markers > other.markers;
  }
}
