package io.confab.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Who speaks TLS with the clients of the public listener.
public enum TlsMode {
  /// Nobody: for loopback only.
  NONE,
  /// The node, with a certificate from files.
  FILES,
  /// A proxy in front of the node, over a network that is safe without.
  PROXY;

  /// The name in the configuration.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<TlsMode> of(String key) {
    return Arrays.stream(values()).filter(mode -> mode.key().equals(key)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(TlsMode::key).collect(Collectors.joining(", "));
  }
}
