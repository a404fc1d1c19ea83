package io.confab.bus;

import io.confab.protocol.WireName;

/// Where a message of the bus came from.
public enum BusSide implements WireName {
  /// This node.
  LOCAL,
  /// Another node.
  REMOTE
}
