package io.confab.bench;

import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// One row inserted and committed after the other, on a PostgreSQL of its own.
final class LoneCommit implements Cell, AutoCloseable {
  private static final String BODY = "x".repeat(100);
  private static final long NANOS_PER_MICRO = 1_000;

  private final double seconds;
  private final OwnPostgres postgres = new OwnPostgres();

  LoneCommit(double seconds) {
    this.seconds = seconds;
    try (Connection connection = TestDatabase.connect(postgres.url());
        var statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE lone (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)\
          """);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String contestant() {
    return Floor.NAME;
  }

  @Override
  public String name() {
    return "a lone commit";
  }

  @Override
  public Measured measure() {
    try (Connection connection = TestDatabase.connect(postgres.url());
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO lone (body) VALUES (?)")) {
      Histogram times = new Histogram(3);
      Processes before = Processes.now();
      long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
      while (System.nanoTime() < end) {
        long from = System.nanoTime();
        insert.setString(1, BODY);
        insert.executeUpdate();
        times.recordValue((System.nanoTime() - from) / NANOS_PER_MICRO);
      }
      Load load =
          Load.between(
              before, Processes.now(), List.of(postgres.pid()), ProcessHandle.current().pid());
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(name() + ": p50, ms", Outcome.millis(times, 50));
      figures.put(name() + ": p99, ms", Outcome.millis(times, 99));
      figures.put(name() + ": PostgreSQL, µs", load.total() / times.getTotalCount());
      return new Measured(figures, load.foreign(), Optional.empty());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    postgres.close();
  }
}
