package io.confab.embedded;

import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The database of an embedded PostgreSQL and its two roles, made by the superuser, who does
/// nothing else: one owns and migrates it, one works on it, and neither reaches another database.
record PostgresRoles(PostgresUrl superuser, String ownerPassword, String nodePassword) {
  private static final String DATABASE = "confab";
  private static final String OWNER = "confab_owner";
  private static final String NODE = "confab_node";

  /// What a superuser made in this database while there was no owner.
  private static final String NOT_THE_OWNERS =
      """
      SELECT format('ALTER %s %s OWNER TO confab_owner',
                    CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
        FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S')
         AND c.relowner <> 'confab_owner'::regrole
         -- The sequence of a column follows its table.
         AND (c.relkind <> 'S' OR NOT EXISTS (
               SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')))
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO confab_owner', p.oid::regprocedure)
        FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> 'confab_owner'::regrole\
      """;

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
      if (texts(statement, "SELECT datname FROM pg_database WHERE datname = '" + DATABASE + "'")
          .isEmpty()) {
        statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + OWNER);
      }
      statement.execute("ALTER DATABASE " + DATABASE + " OWNER TO " + OWNER);
      statement.execute("REVOKE ALL ON DATABASE confab, postgres, template1 FROM PUBLIC");
      statement.execute("GRANT CONNECT ON DATABASE " + DATABASE + " TO " + NODE);
    }
    try (Connection connection = superuser.withDatabase(DATABASE).connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement()) {
      for (String command : texts(statement, NOT_THE_OWNERS)) {
        statement.execute(command);
      }
    }
  }

  private static void makeRole(Statement statement, String name, String password)
      throws SQLException {
    if (texts(statement, "SELECT rolname FROM pg_roles WHERE rolname = '" + name + "'").isEmpty()) {
      statement.execute("CREATE ROLE " + name);
    }
    statement.execute(
        "ALTER ROLE " + name + " LOGIN PASSWORD " + statement.enquoteLiteral(password));
  }

  private static List<String> texts(Statement statement, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
