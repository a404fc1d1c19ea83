package io.confab.fault;

import static org.awaitility.Awaitility.await;

import io.confab.testing.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `scripts/cluster` as a process, with all that it starts, on free ports.
final class ClusterProcess implements AutoCloseable {
  private static final Pattern RUNNING =
      Pattern.compile("Node (\\d) is running \\(process (\\d+)\\)");
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final int PORTS = 20;

  private final Process process;
  private final Path output;
  private final int port;

  private ClusterProcess(Process process, Path output, int port) {
    this.process = process;
    this.output = output;
    this.port = port;
  }

  /// Answers when all nodes serve.
  static ClusterProcess start(int nodes, Path folder) {
    int port = Ports.freeRun(PORTS);
    try {
      Path output = Files.createTempFile("confab-cluster", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of("scripts", "cluster").toAbsolutePath().toString(),
              Integer.toString(nodes),
              "--data-dir",
              folder.toString(),
              "--port",
              Integer.toString(port));
      builder.environment().keySet().removeIf(name -> name.startsWith("CONFAB_"));
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().putAll(NodeProcess.PATIENT);
      builder
          .environment()
          .putAll(
              Map.of(
                  "JDK_JAVA_OPTIONS", "-Xmx256m -XX:TieredStopAtLevel=1",
                  "CONFAB_ACCOUNTS_ARGON2_MEMORY_KIB", "64",
                  "CONFAB_ACCOUNTS_ARGON2_ITERATIONS", "1"));
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      ClusterProcess cluster = new ClusterProcess(process, output, port);
      await()
          .atMost(START_LIMIT)
          .until(() -> cluster.output().contains("The cluster is ready") || !process.isAlive());
      if (!process.isAlive()) {
        throw new AssertionError("did not start:\n" + cluster.output());
      }
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Everything it printed so far.
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Of the API of a node.
  ///
  /// @param node from 1 on
  int port(int node) {
    return port + 10 * (node - 1);
  }

  /// The newest process of a node.
  long pid(int node) {
    List<Long> pids =
        RUNNING
            .matcher(output())
            .results()
            .filter(started -> Integer.parseInt(started.group(1)) == node)
            .map((MatchResult started) -> Long.parseLong(started.group(2)))
            .toList();
    return pids.getLast();
  }

  /// All processes, the script's first.
  List<ProcessHandle> family() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /// SIGTERM; answers the exit code.
  int terminate() {
    process.destroy();
    return process.onExit().orTimeout(180, TimeUnit.SECONDS).join().exitValue();
  }

  /// SIGKILL to the script alone.
  void kill() {
    NodeProcess.kill(process.toHandle());
  }

  @Override
  public void close() {
    List<ProcessHandle> family = family();
    kill();
    await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    try {
      Files.deleteIfExists(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
