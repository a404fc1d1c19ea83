package io.confab.protocol;

/// Why no device of an account can get a message of a sealed room any more.
public enum FailureReason implements WireName {
  /// Their queues took nothing more when it was sent.
  FULL,
  /// Its time was over before one of them acknowledged it.
  EXPIRED,
  /// The last of them that had it was removed.
  REMOVED,
  /// The last of them that had it cannot read it.
  UNDECRYPTABLE
}
