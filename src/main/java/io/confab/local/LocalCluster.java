package io.confab.local;

import io.confab.config.Config;
import io.confab.embedded.DataDir;
import io.confab.embedded.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Several nodes on this machine, each a process, and the PostgreSQL and Redis that they share,
/// which outlive each of them. A node that died is started again.
public final class LocalCluster implements AutoCloseable {
  private final List<SupervisedNode> nodes = new ArrayList<>();
  private final Servers servers;
  private final String mainClass;
  private final ClusterPlan plan;

  private LocalCluster(Servers servers, String mainClass, ClusterPlan plan) {
    this.servers = servers;
    this.mainClass = mainClass;
    this.plan = plan;
  }

  /// Blocks until all nodes serve. When one fails to start, the others are stopped again.
  ///
  /// @param mainClass of a node, where this JVM does not run from a jar
  /// @param progress receives a line for each step, and may end the start by throwing
  public static LocalCluster start(
      Config config, String mainClass, ClusterPlan plan, Consumer<String> progress)
      throws IOException {
    requireFree(plan.ports());
    progress.accept("Starting PostgreSQL and Redis on " + config.dataDir() + " …");
    LocalCluster cluster = new LocalCluster(Servers.open(config, plan.nodes()), mainClass, plan);
    try {
      for (int number = 1; number <= plan.nodes(); number++) {
        progress.accept("Starting node %d of %d …".formatted(number, plan.nodes()));
        progress.accept(cluster.startNode(number));
      }
      return cluster;
    } catch (Throwable failure) {
      cluster.close();
      throw failure;
    }
  }

  /// Checks the ports first: a node that finds its port taken would be tried several times before
  /// the start fails.
  private static void requireFree(List<Integer> ports) throws IOException {
    for (int port : ports) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      } catch (IOException taken) {
        throw new IOException(
            "Cannot listen on port %d (%s); another --port moves all ports of the cluster."
                .formatted(port, taken.getMessage()),
            taken);
      }
    }
  }

  private String startNode(int number) throws IOException {
    DataDir data = servers.dataDir();
    Path folder = Files.createDirectories(data.folder("nodes").resolve(Integer.toString(number)));
    Path log = data.folder("logs").resolve("node-" + number + ".log");
    SupervisedNode node =
        SupervisedNode.start(new ClusterNode(number, mainClass, plan, folder, addresses()), log);
    nodes.add(node);
    return "  node %d: http://%s:%d (management on port %d, process %d, log %s)"
        .formatted(
            number,
            ClusterPlan.HOST,
            plan.port(number),
            plan.managementPort(number),
            node.pid().orElse(0),
            log);
  }

  private Map<String, String> addresses() {
    return Map.of(
        "CONFAB_POSTGRES_URL", servers.postgres().node().text(),
        "CONFAB_POSTGRES_OWNER_URL", servers.postgres().owner().text(),
        "CONFAB_REDIS_URL", servers.redis().text());
  }

  /// Stops the nodes, all at once, then the servers.
  @Override
  public void close() {
    nodes.parallelStream().forEach(SupervisedNode::close);
    servers.close();
  }
}
