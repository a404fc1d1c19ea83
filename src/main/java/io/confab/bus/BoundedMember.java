package io.confab.bus;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.cluster.impl.JoinMessage;
import com.hazelcast.internal.cluster.impl.JoinRequest;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.PacketDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// A member of Hazelcast that bounds what a stranger at its port can make it hold. Hazelcast
/// itself takes as much memory as the first bytes of a packet say it is long, before it knows who
/// sends it, any number of connections, and every member that knows the name of the cluster: the
/// `hazelcast.application.validation.token` of older versions is not looked at any more.
final class BoundedMember extends DefaultNodeContext {
  /// The attribute with which a member shows that it has the key.
  static final String ADMISSION = "confab.admission";

  /// Members send tables of partitions and names of addresses: some 20 KB.
  static final int PACKET_BYTES = 256 * 1024;

  /// Each member has one or two.
  static final int CONNECTIONS = 128;

  private final byte[] token;

  /// @param token of those who are let in
  BoundedMember(String token) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new Extension(node, token);
  }

  private static final class Extension extends DefaultNodeExtension {
    private final Set<ServerConnection> open = new HashSet<>();

    private final byte[] token;

    Extension(Node node, byte[] token) {
      super(node);
      this.token = token;
    }

    /// Clusters that merge are looked at again, member by member, as they join.
    @Override
    public void validateJoinRequest(JoinMessage message) {
      super.validateJoinRequest(message);
      if (message instanceof JoinRequest request) {
        String shown = request.getAttributes().getOrDefault(ADMISSION, "");
        if (!MessageDigest.isEqual(token, shown.getBytes(StandardCharsets.UTF_8))) {
          throw new SecurityException("a node without the key of the cluster is not let in");
        }
      }
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
