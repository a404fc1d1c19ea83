package io.confab;

import io.confab.cli.Confab;
import io.confab.cli.Program;
import io.confab.cli.StandardInput;
import io.confab.cli.SystemTty;
import io.confab.cli.TryAgainException;
import io.confab.config.Config;
import io.confab.config.TlsMode;
import io.confab.embedded.Backup;
import io.confab.embedded.EmbeddedServerException;
import io.confab.embedded.Restore;
import io.confab.listener.DirectMemory;
import io.confab.local.ClusterPlan;
import io.confab.local.LocalCluster;
import io.confab.logging.OutOfMemory;
import io.confab.operator.LocalCommands;
import io.confab.operator.LocalData;
import io.confab.postgres.UnreachableDatabaseException;
import io.confab.postgres.UnusableDatabaseException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// The entry point of the command line; it wires what the commands start.
public final class Main {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(19);
  private static final Duration CLUSTER_STOP_LIMIT = Duration.ofSeconds(60);

  private Main() {}

  public static void main(String[] arguments) {
    var confab = new Confab(new Wiring(), System.getenv(), StandardInput.open(), new SystemTty());
    System.exit(confab.execute(utf8(FileDescriptor.out), utf8(FileDescriptor.err), arguments));
  }

  /// Text of any language is printed also where no locale is set.
  private static PrintWriter utf8(FileDescriptor file) {
    return new PrintWriter(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }

  private interface Start<T> {
    T run() throws IOException;
  }

  /// The node, several of them, and the data without a node.
  private static final class Wiring implements Program {
    @Override
    public void check(Config config) {
      StartCheck.require(config);
    }

    @Override
    public void serve(Config config, Consumer<Serving> whenReady) throws IOException {
      OutOfMemory.endsTheProcess();
      DirectMemory.tellNobody();
      DirectMemory.require();
      try (StopSignal signal = StopSignal.install(STOP_LIMIT);
          Node node = explained(() -> Node.start(config, signal::check))) {
        System.out.println(ready(config, node));
        Thread then =
            Thread.ofPlatform()
                .daemon()
                .name("ready")
                .unstarted(() -> whenReady.accept(new Serving(api(config, node), node.past())));
        if (node.port() != 0) {
          then.start();
        }
        IdleHeap.giveBack();
        signal.await();
        then.interrupt();
      } catch (StopSignal.StoppedEarly _) {
        // all is stopped
      }
    }

    @Override
    public void cluster(Config config, ClusterPlan plan, Consumer<String> out) throws IOException {
      StartCheck.require(config); // else each node would be tried several times
      try (StopSignal signal = StopSignal.install(CLUSTER_STOP_LIMIT);
          LocalCluster _ =
              explained(
                  () ->
                      LocalCluster.start(
                          config,
                          Main.class.getName(),
                          plan,
                          line -> {
                            signal.check();
                            out.accept(line);
                          }))) {
        out.accept("The cluster is ready; Ctrl-C stops it. A node that ends is started again.");
        signal.await();
        out.accept("Stopping the nodes, then Redis and PostgreSQL …");
      } catch (StopSignal.StoppedEarly _) {
        // all is stopped
      }
    }

    /// The address of the API on this machine.
    private static URI api(Config config, Node node) {
      String host = config.http().host();
      String reachable = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
      return URI.create("%s://%s:%d".formatted(scheme(config), reachable, node.port()));
    }

    private static String scheme(Config config) {
      return config.http().tls().mode() == TlsMode.FILES ? "https" : "http";
    }

    /// A node without sockets and API has no public port.
    private static String ready(Config config, Node node) {
      String address =
          node.port() == 0
              ? "no public port"
              : "%s://%s:%d".formatted(scheme(config), config.http().host(), node.port());
      return "Confab is ready: %s (management on port %d)"
          .formatted(address, node.managementPort());
    }

    @Override
    public LocalCommands open(Config config) throws IOException {
      return explained(() -> LocalData.open(config));
    }

    @Override
    public long backup(Config config, Path file, Consumer<String> says) throws IOException {
      requireEmbedded(config);
      return explained(() -> Backup.make(config.dataDir(), file, says));
    }

    @Override
    public void restore(Config config, Path file, Consumer<String> says) throws IOException {
      requireEmbedded(config);
      explained(() -> Restore.make(file, config.dataDir(), says));
    }

    private static void requireEmbedded(Config config) throws IOException {
      if (config.postgres().url().isPresent()) {
        throw new IOException(
            "postgres.url names a PostgreSQL of its own, which its own tools copy and restore"
                + " (pg_basebackup, pg_dump); then `confab epoch bump`.");
      }
    }

    /// A failure that an operator can mend is reported in one line, without a stack.
    private static <T> T explained(Start<T> start) throws IOException {
      try {
        return start.run();
      } catch (UnreachableDatabaseException failure) {
        throw new TryAgainException(failure);
      } catch (EmbeddedServerException | UnusableDatabaseException failure) {
        throw new IOException(failure.getMessage(), failure);
      }
    }
  }
}
