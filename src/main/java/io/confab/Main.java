package io.confab;

import io.confab.cli.Confab;
import io.confab.cli.LocalCommands;
import io.confab.cli.Program;
import io.confab.config.Config;
import io.confab.embedded.EmbeddedServerException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/// The command line's way in; what its commands start is wired here.
public final class Main {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(19);

  private Main() {}

  public static void main(String[] arguments) {
    var confab = new Confab(new Wiring(), System.getenv(), System.in, System.console());
    System.exit(confab.commandLine().execute(arguments));
  }

  /// The node, and the data without a node.
  private static final class Wiring implements Program {
    @Override
    public void serve(Config config) throws IOException {
      CountDownLatch stopped = new CountDownLatch(1);
      Node node = explained(() -> Node.start(config));
      Thread stop =
          Thread.ofPlatform()
              .name("stop")
              .unstarted(
                  () -> {
                    node.close();
                    stopped.countDown();
                  });
      Runtime.getRuntime().addShutdownHook(new Thread(() -> runFor(STOP_LIMIT, stop)));
      System.out.println(ready(config, node));
      try {
        stopped.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    /// A node without sockets and API has no public port.
    private static String ready(Config config, Node node) {
      String address =
          node.port() == 0
              ? "no public port"
              : "http://%s:%d".formatted(config.http().host(), node.port());
      return "Confab is ready: %s (management on port %d)"
          .formatted(address, node.managementPort());
    }

    @Override
    public LocalCommands open(Config config) throws IOException {
      return explained(() -> LocalData.open(config));
    }

    /// The JVM ends when its hooks have ended, also under a thread that still runs.
    private static void runFor(Duration limit, Thread thread) {
      thread.start();
      try {
        thread.join(limit);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    /// What a person can mend is said in one line, without a stack.
    private static <T> T explained(Supplier<T> start) throws IOException {
      try {
        return start.get();
      } catch (EmbeddedServerException failure) {
        throw new IOException(failure.getMessage(), failure);
      }
    }
  }
}
