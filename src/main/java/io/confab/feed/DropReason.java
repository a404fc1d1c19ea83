package io.confab.feed;

/// Why a publication did not get through.
enum DropReason {
  /// It came from no node of this installation, or was damaged on the way.
  FORGED,
  /// Redis was away, or too much was under way.
  UNSENT
}
