package io.confab.config;

import java.util.Locale;

/// A part of the work that a node can take on; by default a node takes all.
public enum NodeRole {
  SOCKETS,
  HTTP,
  ROUTING,
  PERSISTENCE,
  PRESENCE;

  /// The name in the configuration.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
