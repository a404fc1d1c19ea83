package io.confab.bus;

import io.confab.config.NodeRole;
import java.util.Optional;

/// The nodes that this node can ask.
public interface Peers {
  Peer local();

  /// The node to ask for a role: this one if it has the role, else one peer for as long as it
  /// lives; empty when no node has the role.
  Optional<Peer> serving(NodeRole role);

  /// How many other nodes there are.
  int others();

  default boolean isLocal(Peer peer) {
    return peer.id().equals(local().id());
  }

  /// A node that knows only itself.
  static Peers alone(Peer local) {
    return new Peers() {
      @Override
      public Peer local() {
        return local;
      }

      @Override
      public int others() {
        return 0;
      }

      @Override
      public Optional<Peer> serving(NodeRole role) {
        return local.serves(role) ? Optional.of(local) : Optional.empty();
      }
    };
  }
}
