package io.confab.embedded;

import io.confab.postgres.PostgresLogins;
import io.confab.redis.RedisKeys;
import io.confab.testing.TestServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A JVM of its own that starts both servers and then lives until it is killed.
final class ChildNode implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildNode(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /// Answers when both servers run.
  static ChildNode start(Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ChildNode.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ChildNode child = new ChildNode(process);
    for (String line = child.output.readLine(); !"ready".equals(line); ) {
      if (line == null) {
        throw new IOException("The child ended early");
      }
      line = child.output.readLine();
    }
    return child;
  }

  long pid() {
    return process.pid();
  }

  List<ProcessHandle> servers() {
    return process.descendants().toList();
  }

  /// As `kill -9` does; answers when the JVM is gone.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws InterruptedException {
    DataDir data = DataDir.open(Path.of(args[0]));
    EmbeddedServer<PostgresLogins> postgres =
        EmbeddedPostgres.start(data, TestServers.programs(), 20);
    EmbeddedServer<String> redis =
        EmbeddedRedis.begin(data, TestServers.programs(), new RedisKeys("")).awaitStart();
    PostgresLogins url = postgres.url();
    System.out.println(url + " " + redis.state());
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
