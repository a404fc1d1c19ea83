package io.confab.bus;

import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
import io.confab.time.Timers;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.NodeListener;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The peers of a clustered node, learned from the metadata that each node carries in the
/// cluster.
///
/// Which peer serves a role is chosen by rendezvous hashing over this node's id, so that
/// different nodes spread over their peers, and is kept until that peer leaves.
public final class ClusteredPeers implements Peers, NodeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ClusteredPeers.class);
  private static final String ID = "confab_id";
  private static final String PROCESS = "process";

  private final Peer local;
  private final ClusterManager cluster;
  private final Timers timers;
  private final Map<String, Peer> byClusterId = new ConcurrentHashMap<>();
  private final Map<NodeRole, Peer> chosen = new ConcurrentHashMap<>();

  public ClusteredPeers(Peer local, ClusterManager cluster, Timers timers) {
    this.local = local;
    this.cluster = cluster;
    this.timers = timers;
  }

  /// What a node publishes of itself when it joins.
  public static JsonObject metadata(Peer local) {
    JsonObject metadata =
        new JsonObject().put(ID, local.id().value()).put(PROCESS, local.process());
    local.lanes().forEach((role, lanes) -> metadata.put(role.wire(), lanes));
    return metadata;
  }

  /// Begins to follow the cluster, which this node has joined.
  public void follow() {
    cluster.nodeListener(this);
    cluster.getNodes().forEach(this::nodeAdded);
  }

  @Override
  public Peer local() {
    return local;
  }

  @Override
  public Optional<Peer> serving(NodeRole role) {
    if (local.serves(role)) {
      return Optional.of(local);
    }
    return Optional.ofNullable(
        chosen.compute(
            role, (r, peer) -> peer != null && isMember(peer) ? peer : choose(r).orElse(null)));
  }

  @Override
  public int others() {
    return (int) byClusterId.values().stream().filter(peer -> !isLocal(peer)).count();
  }

  private boolean isMember(Peer peer) {
    return byClusterId.containsValue(peer);
  }

  private Optional<Peer> choose(NodeRole role) {
    return byClusterId.values().stream()
        .filter(peer -> peer.serves(role))
        .max(Comparator.comparingInt(peer -> (local.id() + "/" + peer.id()).hashCode()));
  }

  @Override
  public void nodeAdded(String clusterId) {
    Promise<NodeInfo> info = Promise.promise();
    cluster.getNodeInfo(clusterId, info);
    info.future()
        .onSuccess(
            found -> {
              Peer peer = parse(found);
              if (byClusterId.put(clusterId, peer) == null && !isLocal(peer)) {
                LOG.info("Node {} joined with {}", peer.id(), peer.lanes().keySet());
              }
            })
        .onFailure(_ -> askAgain(clusterId));
  }

  /// A member is in the cluster a moment before it has published its metadata.
  private void askAgain(String clusterId) {
    if (cluster.getNodes().contains(clusterId)) {
      LOG.debug("Nothing is known of cluster member {} yet", clusterId);
      timers.retry(() -> nodeAdded(clusterId));
    }
  }

  @Override
  public void nodeLeft(String clusterId) {
    Peer peer = byClusterId.remove(clusterId);
    if (peer != null) {
      LOG.info("Node {} left", peer.id());
    }
  }

  private static Peer parse(NodeInfo info) {
    JsonObject metadata = info.metadata();
    Map<NodeRole, Integer> lanes = new EnumMap<>(NodeRole.class);
    for (NodeRole role : NodeRole.values()) {
      Integer count = metadata.getInteger(role.wire());
      if (count != null) {
        lanes.put(role, count);
      }
    }
    return new Peer(new NodeId(metadata.getString(ID)), metadata.getString(PROCESS), lanes);
  }
}
