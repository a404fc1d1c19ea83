package io.confab.metrics;

import java.util.Locale;

/// Why a publication did not get through.
public enum DropReason {
  /// It came from no node of this installation, or was damaged on the way.
  FORGED,
  /// Redis was away, or too much was under way.
  UNSENT;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
