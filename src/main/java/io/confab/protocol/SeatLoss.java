package io.confab.protocol;

/// Why an account has neither seat nor place any more.
public enum SeatLoss implements WireName {
  /// It left, or the room has no capacity any more.
  LEFT,
  /// It did not check in in time, or did not take up what it was offered.
  EXPIRED,
  /// An owner or admin took it out, or its membership ended.
  REMOVED;
}
