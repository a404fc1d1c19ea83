package io.confab;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import java.util.EnumMap;
import java.util.Map;

/// How many verticles serve each role of a node, by its configuration.
final class Lanes {
  private Lanes() {}

  static Map<NodeRole, Integer> of(Config config) {
    Map<NodeRole, Integer> lanes = new EnumMap<>(NodeRole.class);
    for (NodeRole role : config.node().roles()) {
      lanes.put(role, of(config, role));
    }
    return lanes;
  }

  private static int of(Config config, NodeRole role) {
    return switch (role) {
      case SOCKETS, HTTP -> config.http().loops();
      case ROUTING -> Config.orCores(config.routing().instances());
      case PERSISTENCE -> config.persistence().lanes();
      case PRESENCE -> Config.orCores(config.presence().instances());
    };
  }
}
