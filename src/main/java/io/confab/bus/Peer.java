package io.confab.bus;

import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
import java.util.Map;
import java.util.UUID;

/// A node as others see it: its roles, each with the number of lanes that serve it.
///
/// @param process tells it from the same node before a restart: what was sent to that is not for
///     this one
public record Peer(NodeId id, String process, Map<NodeRole, Integer> lanes) {
  /// This process.
  public Peer(NodeId id, Map<NodeRole, Integer> lanes) {
    this(id, UUID.randomUUID().toString(), lanes);
  }

  boolean serves(NodeRole role) {
    return lanesOf(role) > 0;
  }

  int lanesOf(NodeRole role) {
    return lanes.getOrDefault(role, 0);
  }
}
