package io.confab.testing;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// A migrated database of a test class's own on a real PostgreSQL. Migrations run once for all that
/// this JVM makes: a database is a copy of the first.
public final class TestDatabase implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final PostgresUrl server;
  private final PostgresUrl url;

  private TestDatabase(PostgresUrl server, PostgresUrl url) {
    this.server = server;
    this.url = url;
  }

  public static TestDatabase create() {
    PostgresUrl server = TestServers.postgres();
    PostgresUrl url = server.withDatabase(name(COUNT.incrementAndGet()));
    execute(server, "CREATE DATABASE " + url.database() + " TEMPLATE " + Migrated.NAME);
    return new TestDatabase(server, url);
  }

  private static String name(int number) {
    return "test_" + ProcessHandle.current().pid() + "_" + number;
  }

  public PostgresUrl url() {
    return url;
  }

  /// Runs SQL by itself, beside the code under test.
  public void execute(String sql) {
    execute(url, sql);
  }

  /// The single number that a query answers.
  public long count(String sql) {
    try (Connection connection = connect(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  public static Connection connect(PostgresUrl url) throws SQLException {
    return DriverManager.getConnection(url.jdbc(), url.user(), url.password());
  }

  @Override
  public void close() {
    execute(server, "DROP DATABASE IF EXISTS " + url.database() + " WITH (FORCE)");
  }

  private static void execute(PostgresUrl where, String sql) {
    try (Connection connection = connect(where);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /// Nobody connects to it, so that it can be copied at any time.
  private static final class Migrated {
    static final String NAME = make();

    private static String make() {
      PostgresUrl server = TestServers.postgres();
      String name = name(0);
      execute(server, "CREATE DATABASE " + name);
      new Migrations(server.withDatabase(name)).migrate();
      TestServers.cleanUp(() -> execute(server, "DROP DATABASE " + name));
      return name;
    }
  }
}
