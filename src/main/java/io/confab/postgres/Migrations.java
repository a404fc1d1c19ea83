package io.confab.postgres;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
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
  ///
  /// @throws UnusableDatabaseException when a newer version of Confab has been there: this one
  ///     would not understand what it finds
  public int migrate() {
    Flyway flyway = configuration.load();
    requireKnown(flyway);
    int executed = flyway.migrate().migrationsExecuted;
    requireKnown(flyway); // a newer node may have started meanwhile
    return executed;
  }

  private static void requireKnown(Flyway flyway) {
    for (MigrationInfo applied : flyway.info().applied()) {
      MigrationState state = applied.getState();
      if (state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED) {
        throw new UnusableDatabaseException(
            ("The schema of the database (postgres.url) is of version %s, which this version of"
                    + " Confab does not know: start a newer one")
                .formatted(applied.getVersion()));
      }
    }
  }
}
