package io.confab.local;

import io.confab.operator.ManagementClient;
import io.confab.operator.ManagementFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One node of a cluster on this machine: `serve` on a folder and ports of its own, from the jar or
/// the classes that this JVM runs from.
///
/// @param number from 1 on
/// @param folder its data folder, which exists
/// @param mainClass the class to run where there is no jar
/// @param servers addresses of PostgreSQL and Redis, as the variables that the node reads
record ClusterNode(
    int number, String mainClass, ClusterPlan plan, Path folder, Map<String, String> servers)
    implements SupervisedNode.Plan {

  @Override
  public String name() {
    return "Node " + number;
  }

  @Override
  public List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseCompactObjectHeaders"));
    command.addAll(program());
    command.addAll(
        List.of(
            "serve",
            "--data-dir",
            folder.toString(),
            "--port",
            Integer.toString(plan.port(number)),
            "--management-port",
            Integer.toString(plan.managementPort(number))));
    plan.file().ifPresent(file -> command.addAll(List.of("--config", file.toString())));
    return command;
  }

  private List<String> program() {
    String path = System.getProperty("java.class.path", "");
    return path.endsWith(".jar") && !path.contains(File.pathSeparator)
        ? List.of("-jar", Path.of(path).toAbsolutePath().toString())
        : List.of("-cp", path, mainClass);
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(plan.environment());
    all.putAll(servers);
    all.put("CONFAB_NODE_ID", "");
    all.put("CONFAB_CLUSTER_ENABLED", "true");
    all.put("CONFAB_CLUSTER_HOST", ClusterPlan.HOST);
    all.put("CONFAB_CLUSTER_PORT", Integer.toString(plan.clusterPort(number)));
    all.put("CONFAB_CLUSTER_MEMBERS", String.join(",", plan.members()));
    return all;
  }

  @Override
  public void clean() throws IOException {
    ManagementFile.remove(folder);
  }

  /// The management port is the last thing that a node opens.
  @Override
  public boolean ready() {
    try {
      Optional<ManagementClient> node = ManagementClient.find(folder);
      node.ifPresent(ManagementClient::close);
      return node.isPresent();
    } catch (IOException notYet) {
      return false;
    }
  }
}
