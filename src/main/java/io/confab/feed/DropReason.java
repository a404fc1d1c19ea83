package io.confab.feed;

import io.confab.protocol.WireName;

/// Why a publication did not get through.
enum DropReason implements WireName {
  /// It came from no node of this installation, or was damaged on the way.
  FORGED,
  /// Redis was away, or too much was under way.
  UNSENT
}
