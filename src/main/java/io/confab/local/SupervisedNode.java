package io.confab.local;

import io.confab.embedded.LogFile;
import io.confab.embedded.ServerProcess;
import io.confab.embedded.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A Confab node in a process of its own. It is started again when it died, and stopped in good
/// order when this is closed or the JVM ends, in whatever way.
public final class SupervisedNode implements AutoCloseable {
  private final Supervisor supervisor;

  private SupervisedNode(Supervisor supervisor) {
    this.supervisor = supervisor;
  }

  /// The program to run, and the check that it is ready.
  public interface Plan {
    /// The name for people, such as `Node 1`.
    String name();

    List<String> command();

    /// The variables that it gets besides `PATH`, `LC_ALL` and `TZ`.
    Map<String, String> environment();

    /// The working folder, which must exist.
    Path folder();

    /// Removes what a killed node left behind.
    void clean() throws IOException;

    /// Whether the node serves. Asked every 20 ms during a start.
    boolean ready();
  }

  /// Answers when the node is ready. Blocks.
  ///
  /// @param log gets what the node prints, up to 8 MB and as much of the past
  /// @throws EmbeddedServerException when it died six times or took longer than two minutes
  public static SupervisedNode start(Plan plan, Path log) {
    return new SupervisedNode(Supervisor.start(new Server(plan), new LogFile(log)));
  }

  /// The process of the node; empty while it is down.
  public OptionalLong pid() {
    return supervisor.process().map(ServerProcess::pid).stream().mapToLong(p -> p).findFirst();
  }

  /// Stops the node, which has 20 s to let its clients leave.
  @Override
  public void close() {
    supervisor.close();
  }

  private record Server(Plan plan) implements Supervisor.Server {
    @Override
    public String name() {
      return plan.name();
    }

    @Override
    public ServerProcess.Launch prepare() throws IOException {
      plan.clean();
      return new ServerProcess.Launch(
          plan.command(), plan.environment(), plan.folder(), "TERM", "KILL");
    }

    @Override
    public boolean answers() {
      return plan.ready();
    }
  }
}
