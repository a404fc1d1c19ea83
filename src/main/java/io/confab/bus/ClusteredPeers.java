package io.confab.bus;

import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
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

  private final Peer local;
  private final ClusterManager cluster;
  private final Map<String, Peer> byClusterId = new ConcurrentHashMap<>();
  private final Map<NodeRole, Peer> chosen = new ConcurrentHashMap<>();

  public ClusteredPeers(Peer local, ClusterManager cluster) {
    this.local = local;
    this.cluster = cluster;
  }

  /// What a node tells the others of itself when it joins.
  public static JsonObject metadata(Peer local) {
    JsonObject metadata = new JsonObject().put(ID, local.id().value());
    local.lanes().forEach((role, lanes) -> metadata.put(role.key(), lanes));
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
    Optional<Peer> serving =
        Optional.ofNullable(
            chosen.compute(
                role, (r, peer) -> peer != null && isMember(peer) ? peer : choose(r).orElse(null)));
    if (serving.isEmpty()) {
      askTheUnknown();
    }
    return serving;
  }

  /// A member that has just joined is announced before it has told anything of itself.
  private void askTheUnknown() {
    cluster.getNodes().stream()
        .filter(clusterId -> !byClusterId.containsKey(clusterId))
        .forEach(this::nodeAdded);
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
        .onFailure(
            failure -> LOG.debug("Nothing is known yet of cluster member {}", clusterId, failure));
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
      Integer count = metadata.getInteger(role.key());
      if (count != null) {
        lanes.put(role, count);
      }
    }
    return new Peer(new NodeId(metadata.getString(ID)), lanes);
  }
}
