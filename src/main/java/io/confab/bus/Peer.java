package io.confab.bus;

import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
import java.util.Map;

/// A node as others see it: its roles, each with the number of lanes that serve it.
public record Peer(NodeId id, Map<NodeRole, Integer> lanes) {
  boolean serves(NodeRole role) {
    return lanesOf(role) > 0;
  }

  int lanesOf(NodeRole role) {
    return lanes.getOrDefault(role, 0);
  }
}
