package io.confab.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run of a server, from start to the end of its last process.
///
/// The server's parent is a shell with two branches: one waits for the server, the other reads the
/// shell's standard input, a pipe that only this JVM holds. When the pipe ends, because it was
/// closed or the JVM is gone, that branch sends the signal for an orderly stop and after 20 s the
/// hard one. `setsid` keeps a Ctrl-C at the terminal from the servers, which the node still needs
/// while it closes. All processes of the server share the output pipe, so its end shows that all
/// are gone.
public final class ServerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
  private static final Duration LEFTOVERS = Duration.ofSeconds(2);
  private static final String WATCHDOG =
      """
      stop=$1 force=$2
      shift 2
      exec 3<&0
      "$@" </dev/null 3<&- &
      server=$!
      (
        while read -r line <&3; do :; done
        kill -s "$stop" "$server"
        n=0
        while [ "$n" -lt 200 ] && kill -0 "$server"; do sleep 0.1; n=$((n + 1)); done
        kill -s "$force" "$server"
      ) >/dev/null 2>&1 &
      watchdog=$!
      exec 3<&-
      wait "$server"
      code=$?
      kill "$watchdog" 2>/dev/null
      exit "$code"
      """;

  /// What to run and how to end it.
  ///
  /// @param environment variables besides `PATH`, `LC_ALL` and `TZ`; the process has no others
  /// @param stop name of the signal for an orderly stop
  /// @param force name of the signal for a stop that took too long
  public record Launch(
      List<String> command,
      Map<String, String> environment,
      Path folder,
      String stop,
      String force) {}

  private final Process process;
  private final Thread pump;
  private volatile List<ProcessHandle> family = List.of();

  private ServerProcess(Process process, Thread pump) {
    this.process = process;
    this.pump = pump;
  }

  static ServerProcess start(String name, Launch launch, LogFile log) throws IOException {
    List<String> command = new ArrayList<>(session());
    command.addAll(List.of("sh", "-c", WATCHDOG, "sh", launch.stop(), launch.force()));
    command.addAll(launch.command());
    ProcessBuilder builder = builder(command).directory(launch.folder().toFile());
    builder.environment().putAll(launch.environment());
    Process process = builder.start();
    Thread pump =
        Thread.ofPlatform().daemon().name(name + "-log").unstarted(() -> copy(process, log));
    ServerProcess run = new ServerProcess(process, pump);
    pump.start();
    return run;
  }

  /// A process with standard error in standard output, and nothing of this JVM's environment that
  /// could change how a server behaves (`PGOPTIONS`, `LC_ALL` …).
  static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(List.of("PATH"));
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("TZ", "UTC");
    return builder;
  }

  private static List<String> session() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Stream.of(path.split(":"))
            .anyMatch(folder -> Path.of(folder, "setsid").toFile().canExecute())
        ? List.of("setsid")
        : List.of();
  }

  private static void copy(Process process, LogFile log) {
    try {
      log.copy(process.getInputStream());
    } catch (IOException e) {
      LOG.warn("The output of an embedded server can no longer be kept: {}", e.toString());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Remembers the processes below, so that they can be ended even when the shell is gone first.
  void answered() {
    family = process.descendants().toList();
  }

  /// Waits for the server's end and answers its exit code. Processes that outlive the shell for
  /// 2 s (the server itself, when only the shell was killed) are killed.
  int awaitEnd() throws InterruptedException {
    int code = process.waitFor();
    if (!pump.join(LEFTOVERS)) {
      family.forEach(ProcessHandle::destroyForcibly);
      pump.join(LEFTOVERS);
    }
    return code;
  }

  /// Asks for an orderly end, for which [#awaitEnd()] waits.
  void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException alreadyGone) {
      LOG.debug("The pipe to an embedded server was closed before: {}", alreadyGone.toString());
    }
  }

  /// Ends the server at once; for one that did not end in order in time.
  void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
  }

  /// The server's process, a child of the shell like the watchdog; the shell's own while the server
  /// is not there.
  public long pid() {
    return process
        .children()
        .filter(child -> !child.info().command().orElse("").equals(shell()))
        .findFirst()
        .map(ProcessHandle::pid)
        .orElseGet(process::pid);
  }

  private String shell() {
    return process.info().command().orElse("");
  }

  /// The processes of the server and its watchdog.
  Stream<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }
}
