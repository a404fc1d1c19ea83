package io.confab.embedded;

import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The database of an embedded PostgreSQL and its two roles, made by the superuser, who does
/// nothing else: one owns and migrates it, one works on it, and neither reaches another database.
record PostgresRoles(PostgresUrl superuser, String ownerPassword, String nodePassword) {
  private static final String DATABASE = "confab";
  private static final String OWNER = "confab_owner";
  private static final String NODE = "confab_node";

  static PostgresRoles of(DataDir dataDir, PostgresUrl superuser) {
    return new PostgresRoles(
        superuser,
        dataDir.secret("postgres-owner.password"),
        dataDir.secret("postgres-node.password"));
  }

  PostgresLogins logins() {
    return new PostgresLogins(login(OWNER, ownerPassword), login(NODE, nodePassword));
  }

  private PostgresUrl login(String user, String password) {
    return new PostgresUrl(superuser.host(), superuser.port(), DATABASE, user, password);
  }

  /// Makes what is missing.
  void prepare() throws SQLException {
    try (Connection connection = superuser.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement()) {
      makeRole(statement, OWNER, ownerPassword);
      makeRole(statement, NODE, nodePassword);
      if (isMissing(statement, "SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
        statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + OWNER);
      }
      statement.execute("ALTER DATABASE " + DATABASE + " OWNER TO " + OWNER);
      statement.execute("REVOKE ALL ON DATABASE confab, postgres, template1 FROM PUBLIC");
      statement.execute("GRANT CONNECT ON DATABASE " + DATABASE + " TO " + NODE);
    }
  }

  private static void makeRole(Statement statement, String name, String password)
      throws SQLException {
    if (isMissing(statement, "SELECT FROM pg_roles WHERE rolname = '" + name + "'")) {
      statement.execute("CREATE ROLE " + name);
    }
    statement.execute(
        "ALTER ROLE " + name + " LOGIN PASSWORD " + statement.enquoteLiteral(password));
  }

  private static boolean isMissing(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return !rows.next();
    }
  }
}
