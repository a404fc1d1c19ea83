package io.confab.socket;

import io.confab.protocol.WireName;

/// How an envelope comes to its device.
enum DeliveryWay implements WireName {
  /// As it was announced.
  LIVE,
  /// Read from its queue.
  READ
}
