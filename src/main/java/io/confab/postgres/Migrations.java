package io.confab.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/// Brings the schema to the version of this jar, under Flyway's lock, so that nodes may start at
/// once: numbered SQL, forward only, for what holds data, then a repeatable file for each function
/// whose file has changed. What one version of Confab brings comes in one transaction. Then the
/// role of the nodes gets its rights. Blocks; never called on an event loop.
public final class Migrations {
  /// A statement may have much to do where something is to be migrated.
  private static final Duration STATEMENT = Duration.ofHours(1);

  /// The newest version of this jar.
  static final String NEWEST = "V37__tables.sql";

  private final PostgresLogins logins;
  private final String location;
  private final BooleanSupplier upToDate;

  public Migrations(PostgresLogins logins) {
    this(
        logins,
        "classpath:io/confab/postgres/migrations",
        () -> SchemaHistory.endsWith(logins.owner(), NEWEST));
  }

  /// Of another folder: only Flyway knows whether something is missing.
  Migrations(PostgresLogins logins, String location) {
    this(logins, location, () -> false);
  }

  private Migrations(PostgresLogins logins, String location, BooleanSupplier upToDate) {
    this.logins = logins;
    this.location = location;
    this.upToDate = upToDate;
  }

  private Flyway flyway(Duration silence) {
    PostgresUrl owner = logins.owner();
    return Flyway.configure()
        .dataSource(owner.jdbc(silence), owner.user(), owner.password())
        .locations(location)
        .group(true)
        .callbacks(new OwnFunctionsOnly())
        .baselineOnMigrate(false)
        .cleanDisabled(true)
        .load();
  }

  /// Runs what is missing and answers how many migrations that were.
  ///
  /// @throws UnusableDatabaseException when a newer version of Confab has been there: this one
  ///     would not understand what it finds
  public int migrate() {
    try {
      int executed = upToDate.getAsBoolean() || isCurrent() ? 0 : migrateAll();
      NodeRights.grant(logins);
      return executed;
    } catch (FlywayException failure) {
      throw failure.getCause() instanceof SQLException sql
          ? UnusableDatabaseException.of(logins.owner(), sql)
          : failure;
    }
  }

  /// Asked first, so that a start with nothing to migrate waits for no silent server.
  private boolean isCurrent() {
    Flyway flyway = flyway(PostgresUrl.QUESTION);
    requireKnown(flyway);
    return flyway.validateWithResult().validationSuccessful;
  }

  int migrateAll() {
    Flyway flyway = flyway(STATEMENT);
    FutureTask<Integer> work = new FutureTask<>(() -> flyway.migrate().migrationsExecuted);
    Thread.ofVirtual().start(work);
    int executed = whileOthersAreAnswered(work);
    requireKnown(flyway); // a newer node may have started meanwhile
    return executed;
  }

  /// Waits for work of any length, but not for a server that answers nobody.
  private int whileOthersAreAnswered(FutureTask<Integer> work) {
    while (true) {
      try {
        return work.get(PostgresUrl.QUESTION.toSeconds(), TimeUnit.SECONDS);
      } catch (TimeoutException _) {
        ServerCheck.require(logins.node());
      } catch (ExecutionException failure) {
        throw failure.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(failure);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw new UnusableDatabaseException("The migration of the schema was interrupted");
      }
    }
  }

  private static void requireKnown(Flyway flyway) {
    for (MigrationInfo applied : flyway.info().applied()) {
      MigrationState state = applied.getState();
      if (state == MigrationState.MISSING_SUCCESS || isOfAnEarlierState(applied)) {
        throw new UnusableDatabaseException(
            ("The schema of the database (postgres.url) is of version %s, from before Confab's first"
                    + " release, and cannot be taken over: start with an empty database or another data folder")
                .formatted(applied.getVersion()));
      }
      if (state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED) {
        throw new UnusableDatabaseException(
            ("The schema of the database (postgres.url) is of version %s, which this version of"
                    + " Confab does not know: start a newer one")
                .formatted(applied.getVersion()));
      }
    }
  }

  /// Until the first release the one versioned file is changed in place: ADR 0047.
  private static boolean isOfAnEarlierState(MigrationInfo applied) {
    return applied.isVersioned() && !applied.isChecksumMatching();
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
