package io.confab.embedded;

import io.confab.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/// Starts a PostgreSQL 18 on the data folder, with a random password and the database `confab`; its
/// user may create others. When it is closed, open transactions are rolled back and the files are
/// left clean.
public final class EmbeddedPostgres {
  static final String USER = "confab";
  private static final String DATABASE = "confab";
  private static final String MAINTENANCE = "postgres";

  private EmbeddedPostgres() {}

  /// With the programs unpacked in the data folder.
  public static EmbeddedServer<PostgresUrl> start(DataDir dataDir, int maxConnections) {
    return start(dataDir, dataDir.programs(), maxConnections);
  }

  /// Answers when it takes logins and the database exists.
  ///
  /// @param cache where the programs are unpacked; several data folders may share it
  /// @throws EmbeddedServerException when it cannot be started
  public static EmbeddedServer<PostgresUrl> start(DataDir dataDir, Path cache, int maxConnections) {
    PostgresCluster cluster = PostgresCluster.of(dataDir, new Binaries(cache).postgres());
    PostgresUrl url =
        new PostgresUrl("127.0.0.1", FreePort.find(), DATABASE, USER, cluster.password());
    EmbeddedServer<PostgresUrl> server =
        EmbeddedServer.start(
            new Server(cluster, url, maxConnections), url, dataDir, "postgres.log");
    try {
      createDatabase(url);
      return server;
    } catch (SQLException | RuntimeException e) {
      server.close();
      throw new EmbeddedServerException("Cannot create the database: " + e.getMessage(), e);
    }
  }

  private static void createDatabase(PostgresUrl url) throws SQLException {
    try (Connection connection = connect(url.withDatabase(MAINTENANCE));
        var statement = connection.createStatement()) {
      var rows =
          statement.executeQuery(
              "SELECT FROM pg_database WHERE datname = '" + url.database() + "'");
      if (!rows.next()) {
        statement.execute("CREATE DATABASE " + url.database());
      }
    }
  }

  private static Connection connect(PostgresUrl url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", url.user());
    properties.setProperty("password", url.password());
    properties.setProperty("connectTimeout", "2");
    properties.setProperty("loginTimeout", "5");
    properties.setProperty("socketTimeout", "30");
    return DriverManager.getConnection(url.jdbc(), properties);
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
              // Statements and details of errors may hold what people wrote.
              "-c",
              "log_min_error_statement=panic",
              "-c",
              "log_error_verbosity=terse");
      return new ServerProcess.Launch(command, Map.of(), cluster.data(), "INT", "QUIT");
    }

    @Override
    public boolean answers() {
      try (Connection connection = connect(url.withDatabase(MAINTENANCE))) {
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
