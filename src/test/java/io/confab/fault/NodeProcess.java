package io.confab.fault;

import static org.awaitility.Awaitility.await;

import io.confab.testing.TestServers;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A node in a process of its own, with the servers that it embeds below it.
public final class NodeProcess implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("Confab is ready: http://127.0.0.1:(\\d+) \\(management on port (\\d+)\\)");
  private static final Duration START_LIMIT = Duration.ofMinutes(10);

  /// Of a node that refuses nothing and cuts nobody off because the machine stood still: time-outs
  /// that this does not reach.
  static final Map<String, String> PATIENT =
      Map.of(
          "CONFAB_PERSISTENCE_WAIT_LIMIT", "1m",
          "CONFAB_POSTGRES_STATEMENT_TIMEOUT", "1m",
          "CONFAB_POSTGRES_LOCK_TIMEOUT", "30s",
          "CONFAB_HTTP_REQUEST_TIMEOUT", "1m",
          "CONFAB_SOCKETS_HELLO_TIMEOUT", "1m",
          "CONFAB_SOCKETS_BEAT_TIMEOUT", "1m",
          "CONFAB_SOCKETS_STALL_TIMEOUT", "1m");

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Process process;
  private final Path output;
  private int port;
  private int managementPort;

  private NodeProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /// On free ports, with embedded servers; answers when it is ready.
  static NodeProcess start(Path folder) {
    return start(folder, 0, Map.of());
  }

  /// The same with [#PATIENT].
  static NodeProcess startPatient(Path folder) {
    return start(folder, 0, PATIENT);
  }

  /// These as well as [#PATIENT].
  static Map<String, String> patient(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(PATIENT);
    all.putAll(variables);
    return all;
  }

  /// @param port 0 for a free one
  public static NodeProcess start(Path folder, int port, Map<String, String> variables) {
    return start(List.of(), folder, port, variables);
  }

  /// @param options for the JVM
  public static NodeProcess start(
      List<String> options, Path folder, int port, Map<String, String> variables) {
    NodeProcess node = launch(folder, Jar.command(variables, options, serve(folder, port)));
    node.awaitReady();
    return node;
  }

  /// With other classes before those of the jar. Does not wait: it may end before it is ready.
  ///
  /// @param options for the JVM
  public static NodeProcess changed(
      Path classes, List<String> options, Path folder, int port, Map<String, String> variables) {
    return launch(
        folder, Jar.changed(new Jar.Changed(classes, options), variables, serve(folder, port)));
  }

  private static List<String> serve(Path folder, int port) {
    return List.of(
        "serve",
        "--data-dir",
        folder.toString(),
        "--port",
        Integer.toString(port),
        "--management-port",
        "0");
  }

  private static NodeProcess launch(Path folder, ProcessBuilder command) {
    TestServers.shareProgramsWith(folder);
    try {
      Path output = Files.createTempFile("confab-node", ".log");
      Process process = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new NodeProcess(process, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether it said that it serves.
  public boolean isReady() {
    return readyLine().isPresent();
  }

  void awaitReady() {
    Optional<Matcher> ready =
        await()
            .atMost(START_LIMIT)
            .until(this::readyLine, line -> line.isPresent() || !process.isAlive());
    Matcher line = ready.orElseThrow(() -> new AssertionError("did not start:\n" + output()));
    port = Integer.parseInt(line.group(1));
    managementPort = Integer.parseInt(line.group(2));
  }

  private Optional<Matcher> readyLine() {
    return Optional.of(READY.matcher(output())).filter(Matcher::find);
  }

  /// Everything it wrote so far.
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  /// The answer of `/health/ready`, with the names of what fails.
  public List<String> failing() {
    return new JsonObject(management("/health/ready"))
        .getJsonArray("failing").stream()
            .map(failure -> ((JsonObject) failure).getString("dependency"))
            .toList();
  }

  /// The sum of a meter over its labels; 0 while it has counted nothing.
  public double meter(String name) {
    return management("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /// The answer of the management port.
  String management(String path) {
    try {
      return HTTP.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path))
                  .timeout(Duration.ofMinutes(1))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// All processes of the node: the JVM, and below it the embedded servers with their
  /// watchdogs.
  List<ProcessHandle> family() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /// The process that started all others of the embedded PostgreSQL.
  ProcessHandle postgres() {
    return server("bin/postgres");
  }

  ProcessHandle redis() {
    return server("redis-server");
  }

  /// Empty while it is down.
  Optional<ProcessHandle> running(String program) {
    return process
        .descendants()
        .filter(child -> child.info().command().orElse("").contains(program))
        .filter(child -> child.parent().flatMap(p -> p.info().command()).orElse("").endsWith("sh"))
        .findFirst();
  }

  private ProcessHandle server(String program) {
    return await().atMost(START_LIMIT).until(() -> running(program), Optional::isPresent).get();
  }

  /// SIGKILL to a process of a node.
  static void kill(ProcessHandle victim) {
    victim.destroyForcibly();
    victim.onExit().orTimeout(60, TimeUnit.SECONDS).join();
  }

  /// SIGKILL to the JVM.
  public void kill() {
    kill(process.toHandle());
  }

  /// SIGTERM to the JVM.
  public void terminate() {
    process.destroy();
  }

  /// The exit code; empty when it did not end in time.
  public Optional<Integer> exit(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
          ? Optional.of(process.exitValue())
          : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public static void signal(ProcessHandle process, String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
          .start()
          .onExit()
          .orTimeout(60, TimeUnit.SECONDS)
          .join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Processes that work in a folder, whosever children they are.
  static List<ProcessHandle> workingIn(Path folder) {
    return ProcessHandle.allProcesses().filter(process -> worksIn(process, folder)).toList();
  }

  private static boolean worksIn(ProcessHandle process, Path folder) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .startsWith(folder);
    } catch (IOException endedOrAnotherUsers) {
      return false;
    }
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
