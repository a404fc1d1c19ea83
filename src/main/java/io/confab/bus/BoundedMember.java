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
import com.hazelcast.nio.MemberSocketInterceptor;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// A member of Hazelcast that speaks with members of its own installation alone
/// ([MemberHandshake]), and bounds what they can make it hold. Hazelcast itself takes as much
/// memory as the first bytes of a packet say it is long, before it knows who sends it, any number
/// of connections, and every member that knows the name of the cluster: the
/// `hazelcast.application.validation.token` of older versions is not looked at any more.
final class BoundedMember extends DefaultNodeContext {
  /// Members send tables of partitions and names of addresses: some 20 KB.
  static final int PACKET_BYTES = 256 * 1024;

  /// Each member has one or two.
  static final int CONNECTIONS = 128;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final MemberHandshake handshake;

  /// @param key of the installation
  BoundedMember(BusKey key) {
    this.handshake = new MemberHandshake(key.membership(), PATIENCE);
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node, handshake);
  }

  private static final class Extension extends DefaultNodeExtension {
    private final Set<ServerConnection> open = new HashSet<>();
    private final MemberHandshake handshake;

    Extension(Node node, MemberHandshake handshake) {
      super(node);
      this.handshake = handshake;
    }

    /// Asked for because the configuration has an interceptor switched on.
    @Override
    public MemberSocketInterceptor getSocketInterceptor(EndpointQualifier endpoint) {
      return handshake;
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
