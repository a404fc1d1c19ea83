package io.confab.config;

import io.confab.protocol.WireName;

/// Where TLS with the clients of the public listener ends.
public enum TlsMode implements WireName {
  /// Nobody: for loopback only.
  NONE,
  /// The node, with a certificate from files.
  FILES,
  /// A proxy in front of the node, over a network that is safe without.
  PROXY;
}
