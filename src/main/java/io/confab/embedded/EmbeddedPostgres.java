package io.confab.embedded;

import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Starts a PostgreSQL 18 on the data folder, with the database `confab` and random passwords for
/// its roles. When it is closed, open transactions are rolled back and the files are left clean.
public final class EmbeddedPostgres {
  static final String SUPERUSER = "confab";
  private static final String MAINTENANCE = "postgres";

  private EmbeddedPostgres() {}

  /// With the programs unpacked in the data folder.
  public static EmbeddedServer<PostgresLogins> start(DataDir dataDir, int maxConnections) {
    return start(dataDir, dataDir.programs(), maxConnections);
  }

  /// Answers when it takes logins and the database exists.
  ///
  /// @param cache where the programs are unpacked; several data folders may share it
  /// @throws EmbeddedServerException when it cannot be started
  public static EmbeddedServer<PostgresLogins> start(
      DataDir dataDir, Path cache, int maxConnections) {
    PostgresCluster cluster = PostgresCluster.of(dataDir, new Binaries(cache).postgres());
    PostgresUrl superuser = superuser(FreePort.find(), cluster.password());
    PostgresRoles roles = PostgresRoles.of(dataDir, superuser);
    EmbeddedServer<PostgresLogins> server =
        EmbeddedServer.start(
            new Server(cluster, superuser, maxConnections),
            roles.logins(),
            dataDir,
            "postgres.log");
    try {
      roles.prepare();
      return server;
    } catch (SQLException | RuntimeException e) {
      server.close();
      throw new EmbeddedServerException("Cannot make the database: " + e.getMessage(), e);
    }
  }

  static PostgresUrl superuser(int port, String password) {
    return new PostgresUrl("127.0.0.1", port, MAINTENANCE, SUPERUSER, password);
  }

  /// SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one
  /// (https://www.postgresql.org/docs/18/server-shutdown.html).
  private record Server(PostgresCluster cluster, PostgresUrl url, int maxConnections)
      implements Supervisor.Server {
    private static final Set<String> BAD_LOGIN = Set.of("28000", "28P01");

    @Override
    public String name() {
      return "PostgreSQL";
    }

    @Override
    public ServerProcess.Launch prepare() throws IOException, InterruptedException {
      cluster.awaitEmpty();
      List<String> command =
          cluster.command(
              "postgres",
              "-D",
              cluster.data().toString(),
              "-p",
              Integer.toString(url.port()),
              "-c",
              "listen_addresses=" + url.host(),
              "-c",
              "unix_socket_directories=",
              "-c",
              "max_connections=" + maxConnections,
              "-c",
              "log_connections=",
              "-c",
              "log_disconnections=off",
              // Statements and details of errors may hold what people wrote.
              "-c",
              "log_min_error_statement=panic",
              "-c",
              "log_error_verbosity=terse");
      return new ServerProcess.Launch(command, Map.of(), cluster.data(), "INT", "QUIT");
    }

    @Override
    public boolean answers() {
      try (Connection connection = url.connect(PostgresUrl.QUESTION)) {
        return connection.isValid(2);
      } catch (SQLException e) {
        if (BAD_LOGIN.contains(e.getSQLState())) {
          throw new EmbeddedServerException(
              "PostgreSQL refuses the password in " + cluster.passwordFile() + ".", e);
        }
        return false;
      }
    }
  }
}
