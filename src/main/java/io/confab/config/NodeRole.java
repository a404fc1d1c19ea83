package io.confab.config;

import io.confab.protocol.WireName;

/// A part of the work that a node can take on; by default a node takes all.
public enum NodeRole implements WireName {
  SOCKETS,
  HTTP,
  ROUTING,
  PERSISTENCE,
  PRESENCE;
}
