package io.confab.testing;

import io.confab.embedded.DataDir;
import io.confab.embedded.EmbeddedPostgres;
import io.confab.embedded.EmbeddedRedis;
import io.confab.embedded.EmbeddedServer;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.redis.RedisKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The PostgreSQL and Redis that all tests of a run share: those that `CONFAB_TEST_POSTGRES_URL`
/// and `CONFAB_TEST_REDIS_URL` name, else embedded ones, which start at the first use and end with
/// the JVM.
public final class TestServers {
  private static final String POSTGRES = "CONFAB_TEST_POSTGRES_URL";
  private static final int MAX_CONNECTIONS = 300;

  private TestServers() {}

  /// For tests, which may everything there.
  public static PostgresUrl postgres() {
    return external(POSTGRES)
        .map(PostgresUrl::parse)
        .orElseGet(
            () ->
                new PostgresUrl(
                    Postgres.SERVER.url().node().host(),
                    Postgres.SERVER.url().node().port(),
                    "postgres",
                    "confab",
                    Folder.DATA.secret("postgres.password")));
  }

  /// For the code under test, with no rights but what a migration gives it; the same as above for
  /// an external server.
  public static PostgresUrl postgresNode() {
    return external(POSTGRES).map(PostgresUrl::parse).orElseGet(() -> Postgres.SERVER.url().node());
  }

  public static String redis() {
    return external("CONFAB_TEST_REDIS_URL").orElseGet(() -> Redis.SERVER.url());
  }

  /// Has a node that starts on a data folder find them unpacked, unless it has its own.
  public static void shareProgramsWith(Path dataFolder) {
    Path bin = dataFolder.resolve("bin");
    try {
      if (!Files.exists(bin)) {
        Files.createDirectories(programs());
        Files.createDirectories(dataFolder);
        Files.createSymbolicLink(bin, programs());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Runs it at the end of this JVM, where PostgreSQL outlives it.
  static void cleanUp(Runnable what) {
    external(POSTGRES)
        .ifPresent(_ -> Runtime.getRuntime().addShutdownHook(new Thread(what, "clean-up")));
  }

  /// Where embedded servers that tests start are unpacked: once for all runs of a build.
  public static Path programs() {
    return Path.of("target", "embedded-programs").toAbsolutePath();
  }

  private static Optional<String> external(String variable) {
    return Optional.ofNullable(System.getenv(variable));
  }

  private static final class Postgres {
    static final EmbeddedServer<PostgresLogins> SERVER =
        EmbeddedPostgres.start(Folder.DATA, programs(), MAX_CONNECTIONS);

    static {
      Folder.SERVERS.add(SERVER);
    }
  }

  private static final class Redis {
    static final EmbeddedServer<String> SERVER =
        EmbeddedRedis.begin(Folder.DATA, programs(), new RedisKeys("*")).awaitStart();

    static {
      Folder.SERVERS.add(SERVER);
    }
  }

  private static final class Folder {
    static final Queue<AutoCloseable> SERVERS = new ConcurrentLinkedQueue<>();
    static final DataDir DATA = open();

    private static DataDir open() {
      DataDir data = DataDir.open(TempFolders.create("confab-test"));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(data)));
      return data;
    }

    private static void remove(DataDir data) {
      try {
        for (AutoCloseable server : SERVERS) {
          server.close();
        }
        data.close();
        TempFolders.delete(data.path());
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
