package io.confab.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the role that works on the database may do there: what the statements of Confab need, as
/// `node_rights.sql` says, and neither to change the schema nor to leave the database.
final class NodeRights {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRights.class);

  /// So long a node waits for its turn, of many that start together.
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /// SQLSTATE of a lock that was not had in time.
  private static final String NO_LOCK = "55P03";

  private static final String ASK =
      """
      SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('instance')\
      """;

  private NodeRights() {}

  /// Grants them where the owner of the schema is another role; else says that it is not.
  static void grant(PostgresLogins logins) {
    grant(logins, PATIENCE);
  }

  static void grant(PostgresLogins logins, Duration patience) {
    PostgresUrl owner = logins.owner();
    try (Connection connection = owner.connect(patience.plus(PostgresUrl.QUESTION));
        Statement statement = connection.createStatement()) {
      if (logins.areApart()) {
        connection.setAutoCommit(false);
        statement.execute(lock(patience));
        statement.execute(rights(statement.enquoteIdentifier(logins.node().user(), true)));
        connection.commit();
        warnIfCreator(logins.node(), statement);
      } else {
        warnIfOwner(logins.node(), statement);
      }
    } catch (SQLException failure) {
      if (NO_LOCK.equals(failure.getSQLState())) {
        throw new UnusableDatabaseException(
            ("The rights of %s cannot be granted: another node, or a session that was left behind,"
                    + " kept the lock for %d s (see pg_locks)")
                .formatted(logins.node().user(), patience.toSeconds()),
            failure);
      }
      throw UnusableDatabaseException.of(owner, failure);
    }
  }

  /// Nodes that start together take turns; one that stands still loses its turn.
  private static String lock(Duration patience) {
    return """
    SET LOCAL idle_in_transaction_session_timeout = '10s';
    SET LOCAL lock_timeout = %d;
    SELECT pg_advisory_xact_lock(hashtextextended('confab node rights', 0))\
    """
        .formatted(patience.toMillis());
  }

  /// A schema `public` that is older than PostgreSQL 15 lets everybody create in it, and only its
  /// owner ends that, who need not be the owner of the tables.
  private static void warnIfCreator(PostgresUrl url, Statement statement) throws SQLException {
    String question =
        "SELECT has_schema_privilege(%s, current_schema(), 'CREATE')"
            .formatted(statement.enquoteLiteral(url.user()));
    if (is(statement, question)) {
      LOG.warn(
          "{} may create tables and functions; as the owner of the schema, run: REVOKE CREATE ON"
              + " SCHEMA public FROM PUBLIC",
          url.user());
    }
  }

  private static boolean is(Statement statement, String question) throws SQLException {
    try (ResultSet answer = statement.executeQuery(question)) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  private static void warnIfOwner(PostgresUrl url, Statement statement) throws SQLException {
    if (is(statement, ASK)) {
      LOG.warn(
          "{} owns the schema and works on it; name an owner besides (postgres.owner_url), and"
              + " nodes can do less",
          url.user());
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
