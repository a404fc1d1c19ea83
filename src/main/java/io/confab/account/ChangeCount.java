package io.confab.account;

/// How often something changed that the sessions of an account must know: a membership began or
/// ended, or a sign-in ended. Rises with each such commit.
///
/// @param markers the same for markers and receipts of the account
/// @param at when this was read, in milliseconds since 1970 by PostgreSQL's clock
/// @param chosen the status of all its sessions
public record ChangeCount(long value, long markers, long at, ChosenStatus chosen) {
  /// A count of an account without markers.
  public ChangeCount(long value) {
    this(value, 0, 0);
  }

  /// A count of an account that chose no status.
  public ChangeCount(long value, long markers, long at) {
    this(value, markers, at, ChosenStatus.NONE);
  }

  public boolean isAfter(ChangeCount other) {
    return value > other.value;
  }

  /// Whether markers or receipts have changed since the other one was read.
  public boolean hasMovedSince(ChangeCount other) {
    return markers > other.markers;
  }
}
