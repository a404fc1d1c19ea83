package io.confab.postgres;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/// Brings the schema to the version of this jar: numbered SQL, forward only, under Flyway's lock,
/// so that nodes may start at once. Blocks; never called on an event loop.
public final class Migrations {
  private final FluentConfiguration configuration;

  public Migrations(PostgresUrl url) {
    this.configuration =
        Flyway.configure()
            .dataSource(url.jdbc(), url.user(), url.password())
            .locations("classpath:io/confab/postgres/migrations")
            .baselineOnMigrate(false)
            .cleanDisabled(true);
  }

  /// Runs what is missing and answers how many migrations that were.
  public int migrate() {
    return configuration.load().migrate().migrationsExecuted;
  }
}
