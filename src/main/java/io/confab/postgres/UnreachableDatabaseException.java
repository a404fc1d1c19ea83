package io.confab.postgres;

/// A PostgreSQL that does not answer now, and may later.
public final class UnreachableDatabaseException extends UnusableDatabaseException {
  private static final long serialVersionUID = 1;

  UnreachableDatabaseException(PostgresUrl url, Throwable cause) {
    super(
        "PostgreSQL at %s:%d does not answer: %s. Start it, or name another (postgres.url; empty: the embedded one)"
            .formatted(url.host(), url.port(), UnusableDatabaseException.line(cause)),
        cause);
  }
}
