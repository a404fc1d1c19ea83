package io.confab.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The nodes that `cluster` starts, and their ports. Node 1 has its API on the base port, its
/// management on the next and its cluster port on the one after; the ports of each further node are
/// ten higher.
///
/// @param file configuration that all nodes read, as an absolute path
/// @param environment of each node; the cluster adds its own variables
public record ClusterPlan(
    int nodes, int basePort, Optional<Path> file, Map<String, String> environment) {
  public static final String HOST = "127.0.0.1";
  public static final int MOST = 8;
  private static final int STEP = 10;

  /// The highest base port at which the ports of all nodes are valid.
  public static final int HIGHEST_BASE = 65_535 - MOST * STEP;

  /// The port of API and sockets.
  ///
  /// @param number of the node, from 1 on
  public int port(int number) {
    return basePort + STEP * (number - 1);
  }

  public int managementPort(int number) {
    return port(number) + 1;
  }

  public int clusterPort(int number) {
    return port(number) + 2;
  }

  /// Where the nodes find each other.
  public List<String> members() {
    return numbers().mapToObj(number -> HOST + ":" + clusterPort(number)).toList();
  }

  /// Every port that must be free.
  public List<Integer> ports() {
    return numbers()
        .boxed()
        .flatMap(n -> Stream.of(port(n), managementPort(n), clusterPort(n)))
        .toList();
  }

  private IntStream numbers() {
    return IntStream.rangeClosed(1, nodes);
  }
}
