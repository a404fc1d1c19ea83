package io.confab.bus;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.PacketDecoder;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// A member of Hazelcast that bounds what whoever reaches its port can make it hold. Hazelcast
/// itself takes as much memory as the first bytes of a packet say it is long, before it knows who
/// sends it, and any number of connections.
final class BoundedMember extends DefaultNodeContext {
  /// Members send tables of partitions and names of addresses: some 20 KB.
  static final int PACKET_BYTES = 256 * 1024;

  /// Each member has one or two.
  static final int CONNECTIONS = 128;

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node);
  }

  private static final class Extension extends DefaultNodeExtension {
    private final Set<ServerConnection> open = new HashSet<>();

    Extension(Node node) {
      super(node);
    }

    @Override
    @SuppressWarnings("rawtypes") // so Hazelcast declares it
    public InboundHandler[] createInboundHandlers(
        EndpointQualifier endpoint, ServerConnection connection, ServerContext context) {
      admit(connection);
      return new InboundHandler[] {
        new BoundedDecoder(connection, node.getNodeEngine().getPacketDispatcher())
      };
    }

    private void admit(ServerConnection connection) {
      synchronized (open) {
        open.removeIf(other -> !other.isAlive());
        if (open.size() >= CONNECTIONS) {
          throw new IllegalStateException("too many connections between nodes");
        }
        open.add(connection);
      }
    }
  }

  private static final class BoundedDecoder extends PacketDecoder {
    private final PacketLengths lengths = new PacketLengths(PACKET_BYTES);

    BoundedDecoder(ServerConnection connection, Consumer<Packet> packets) {
      super(connection, packets);
    }

    @Override
    public HandlerStatus onRead() throws Exception {
      lengths.check(src.duplicate().flip());
      return super.onRead();
    }
  }
}
