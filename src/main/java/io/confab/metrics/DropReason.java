package io.confab.metrics;

import java.util.Locale;

/// Why a publication from Redis was not used.
public enum DropReason {
  /// Already seen.
  OLD,
  /// Its code of authenticity is wrong: not from a node of this installation.
  FORGED,
  MALFORMED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
