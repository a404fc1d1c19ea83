package io.confab;

import io.confab.cli.ClusterPlan;
import io.confab.cli.Confab;
import io.confab.cli.LocalCommands;
import io.confab.cli.Program;
import io.confab.config.Config;
import io.confab.embedded.EmbeddedServerException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/// The command line's way in; what its commands start is wired here.
public final class Main {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(19);
  private static final Duration CLUSTER_STOP_LIMIT = Duration.ofSeconds(60);

  private Main() {}

  public static void main(String[] arguments) {
    var confab = new Confab(new Wiring(), System.getenv(), System.in, System.console());
    System.exit(confab.commandLine().execute(arguments));
  }

  private interface Start<T> {
    T run() throws IOException;
  }

  /// The node, several of them, and the data without a node.
  private static final class Wiring implements Program {
    @Override
    public void serve(Config config) throws IOException {
      try (StopSignal signal = StopSignal.install(STOP_LIMIT);
          Node node = explained(() -> Node.start(config, signal::check))) {
        System.out.println(ready(config, node));
        signal.await();
      } catch (StopSignal.StoppedEarly _) {
        // nothing runs any more
      }
    }

    @Override
    public void cluster(Config config, ClusterPlan plan, Consumer<String> out) throws IOException {
      try (StopSignal signal = StopSignal.install(CLUSTER_STOP_LIMIT);
          LocalCluster _ =
              explained(
                  () ->
                      LocalCluster.start(
                          config,
                          plan,
                          line -> {
                            signal.check();
                            out.accept(line);
                          }))) {
        out.accept("The cluster is ready; Ctrl-C stops it. A node that ends is started again.");
        signal.await();
        out.accept("Stopping the nodes, then Redis and PostgreSQL …");
      } catch (StopSignal.StoppedEarly _) {
        // nothing runs any more
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

    /// What a person can mend is said in one line, without a stack.
    private static <T> T explained(Start<T> start) throws IOException {
      try {
        return start.run();
      } catch (EmbeddedServerException failure) {
        throw new IOException(failure.getMessage(), failure);
      }
    }
  }
}
