package io.confab.postgres;

import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/// Brings the schema to the version of this jar, under Flyway's lock, so that nodes may start at
/// once: numbered SQL, forward only, for what holds data, then a repeatable file for each function
/// whose file has changed. What one version of Confab brings comes in one transaction. Then the
/// role of the nodes gets its rights. Blocks; never called on an event loop.
public final class Migrations {
  /// A statement may have much to do; but no server is waited for that is gone.
  private static final Duration STATEMENT = Duration.ofHours(1);

  private final PostgresLogins logins;
  private final FluentConfiguration configuration;

  public Migrations(PostgresLogins logins) {
    this(logins, "classpath:io/confab/postgres/migrations");
  }

  Migrations(PostgresLogins logins, String location) {
    PostgresUrl owner = logins.owner();
    this.logins = logins;
    this.configuration =
        Flyway.configure()
            .dataSource(owner.jdbc(STATEMENT), owner.user(), owner.password())
            .locations(location)
            .group(true)
            .callbacks(new OwnFunctionsOnly())
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
    NodeRights.grant(logins);
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

  /// Looks once more, under the lock: to Flyway the functions of a newer version are changed files,
  /// which it would run again as this version has them.
  private static final class OwnFunctionsOnly extends BaseCallback {
    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.BEFORE_REPEATABLES;
    }

    @Override
    public void handle(Event event, Context context) {
      requireKnown(new Flyway(context.getConfiguration()));
    }
  }
}
