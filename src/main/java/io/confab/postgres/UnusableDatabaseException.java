package io.confab.postgres;

import java.sql.SQLException;
import java.util.Set;

/// A database that a node must not work with; the message says what an operator can do.
public sealed class UnusableDatabaseException extends RuntimeException
    permits UnreachableDatabaseException {
  private static final long serialVersionUID = 1;

  /// Classes of SQLSTATE: no connection, too many, an operator stops or starts the server.
  private static final Set<String> AWAY = Set.of("08", "53", "57");

  private static final String NO_LOGIN = "28";

  UnusableDatabaseException(String message) {
    super(message);
  }

  UnusableDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  /// What the driver's failure means for the operator who starts a node.
  static UnusableDatabaseException of(PostgresUrl url, SQLException failure) {
    String kind = (failure.getSQLState() + "  ").substring(0, 2);
    if (AWAY.contains(kind)) {
      return new UnreachableDatabaseException(url, failure);
    }
    return kind.equals(NO_LOGIN) ? noLogin(url, failure) : of((Throwable) failure);
  }

  private static UnusableDatabaseException noLogin(PostgresUrl url, SQLException failure) {
    return new UnusableDatabaseException(
        "PostgreSQL at %s:%d does not let %s in: %s. See postgres.url or postgres.owner_url, which name this user and its password"
            .formatted(url.host(), url.port(), url.user(), line(failure)),
        failure);
  }

  static UnusableDatabaseException of(Throwable failure) {
    return new UnusableDatabaseException(
        "PostgreSQL cannot be used (postgres.url): " + failure.getMessage(), failure);
  }

  /// The first line, without its full stop.
  static String line(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
