package io.confab.testing;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// A migrated database of a test class's own on a real PostgreSQL. Migrations run once for all that
/// this JVM makes: a database is a copy of the first.
public final class TestDatabase implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final PostgresUrl server;
  private final PostgresUrl url;
  private final PostgresUrl nodeUrl;

  private TestDatabase(PostgresUrl server, PostgresUrl url, PostgresUrl nodeUrl) {
    this.server = server;
    this.url = url;
    this.nodeUrl = nodeUrl;
  }

  public static TestDatabase create() {
    PostgresUrl server = TestServers.postgres();
    PostgresUrl url = server.withDatabase(name(COUNT.incrementAndGet()));
    execute(server, "CREATE DATABASE " + url.database() + " TEMPLATE " + Migrated.NAME);
    PostgresUrl node = TestServers.postgresNode().withDatabase(url.database());
    return new TestDatabase(server, url, node);
  }

  private static String name(int number) {
    return "test_" + ProcessHandle.current().pid() + "_" + number;
  }

  /// For the test itself, which may everything.
  public PostgresUrl url() {
    return url;
  }

  /// For the code under test, with the rights of a node.
  public PostgresUrl nodeUrl() {
    return nodeUrl;
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

  /// The single text that a query answers.
  public String text(String sql) {
    try (Connection connection = connect(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /// As it is configured.
  public static String address(PostgresUrl url) {
    return "postgresql://%s:%s@%s:%d/%s"
        .formatted(
            encoded(url.user()), encoded(url.password()), url.host(), url.port(), url.database());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  public static Connection connect(PostgresUrl url) throws SQLException {
    return url.connect(Duration.ZERO);
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
      PostgresUrl node = TestServers.postgresNode().withDatabase(name);
      new Migrations(new PostgresLogins(server.withDatabase(name), node)).migrate();
      TestServers.cleanUp(() -> execute(server, "DROP DATABASE " + name));
      return name;
    }
  }
}
