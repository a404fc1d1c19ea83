package io.confab.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the role that works on the database may do there: what the statements of Confab need, as
/// `node_rights.sql` says, and neither to change the schema nor to leave the database.
final class NodeRights {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRights.class);

  /// Nodes that start together take turns.
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('confab node rights', 0))";

  private static final String ASK =
      """
      SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('instance')\
      """;

  private NodeRights() {}

  /// Grants them where the owner of the schema is another role; else says that it is not.
  static void grant(PostgresLogins logins) {
    PostgresUrl owner = logins.owner();
    try (Connection connection = owner.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement()) {
      if (logins.areApart()) {
        connection.setAutoCommit(false);
        statement.execute(LOCK);
        statement.execute(rights(statement.enquoteIdentifier(logins.node().user(), true)));
        connection.commit();
      } else {
        warnIfOwner(logins.node(), statement);
      }
    } catch (SQLException failure) {
      throw UnusableDatabaseException.of(owner, failure);
    }
  }

  private static void warnIfOwner(PostgresUrl url, Statement statement) throws SQLException {
    try (ResultSet owns = statement.executeQuery(ASK)) {
      if (owns.next() && owns.getBoolean(1)) {
        LOG.warn(
            "{} owns the schema and works on it; name an owner besides (postgres.owner_url), and"
                + " nodes can do less",
            url.user());
      }
    }
  }

  private static String rights(String role) {
    try (InputStream in = NodeRights.class.getResourceAsStream("node_rights.sql")) {
      if (in == null) {
        throw new IllegalStateException("no node_rights.sql");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(":node", role);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
