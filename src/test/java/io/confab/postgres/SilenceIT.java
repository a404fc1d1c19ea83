package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// PostgreSQL that dies without a word: connections stay open and carry nothing.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class SilenceIT {
  /// The watch has asked more than once.
  private static final String ASKED =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'SELECT 1'
         AND query_start - backend_start > interval '400 ms'
      """;

  private final TestDatabase postgres = TestDatabase.create();
  private final TcpProxy way = TcpProxy.before(postgres.url().text(), Filter::none);
  private final Vertx vertx;
  private final Database database;
  private final WriterConnection writer;

  SilenceIT(Vertx vertx) {
    this.vertx = vertx;
    Config.Postgres config =
        TestConfig.postgres(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(3));
    this.database = new Database(vertx, PostgresUrl.parse(way.url()), config);
    this.writer = new WriterConnection(database, config.lockTimeout());
  }

  @BeforeEach
  void openAllConnections() {
    await().ignoreExceptions().untilAsserted(this::writes);
    await().ignoreExceptions().untilAsserted(this::allWork);
    await().until(() -> postgres.count(ASKED) > 0);
  }

  @AfterEach
  void close() {
    way.close();
    Futures.get(database.close());
    postgres.close();
  }

  private Future<Void> read(String seconds) {
    return database.client().query("SELECT pg_sleep(" + seconds + ")").execute().mapEmpty();
  }

  private Future<Void> change() {
    return database.transaction(to -> to.query("SELECT 2").execute().mapEmpty());
  }

  private Future<Void> write() {
    return writer.call("SELECT 2", Tuple.tuple()).mapEmpty();
  }

  @Test
  void connectionsThatBecomeSilentAreClosedThoughNobodyWorksOnThem() {
    way.silence();
    await().until(() -> !writer.isOpen());
    await().ignoreExceptions().untilAsserted(this::allWork);
    await().ignoreExceptions().untilAsserted(this::writes);
  }

  @Test
  void workOnASilentConnectionFails() {
    way.conduct(Conduct.HOLD);
    way.silence();
    List<Future<Void>> work = List.of(read("0"), change(), write());
    await().until(() -> work.stream().allMatch(Future::failed));
    work.forEach(each -> assertThat(FailureKind.of(each.cause())).isEqualTo(FailureKind.LOST));
  }

  @Test
  void neitherDoesANewConnectionThatIsNotGreetedBlockAPlaceInThePool() {
    way.conduct(Conduct.HOLD);
    List<Future<Void>> work = Stream.generate(() -> read("0")).limit(10).toList();
    await().until(() -> work.stream().allMatch(Future::failed));
    way.silence();
    way.conduct(Conduct.PASS);
    await().ignoreExceptions().untilAsserted(this::allWork);
  }

  /// Whoever waits for connections is patient here; the watch is not.
  @Test
  void asLongAsNewConnectionsAreSilentTooTheWatchTriesOthers() {
    Duration ages = Duration.ofMinutes(10);
    try (TcpProxy own = TcpProxy.before(postgres.url().text(), Filter::none)) {
      Database patient =
          new Database(vertx, PostgresUrl.parse(own.url()), TestConfig.postgres(ages, ages, ages));
      Futures.get(patient.ping());
      own.conduct(Conduct.HOLD);
      own.silence();
      long before = own.accepted();
      await().until(() -> own.accepted() >= before + 3);
      own.conduct(Conduct.REFUSE); // or it would wait for them as it closes
      Futures.get(patient.close());
    }
  }

  private void writes() {
    Futures.get(writer.open());
    Futures.get(write());
  }

  private void allWork() {
    Futures.get(Future.all(Collections.nCopies(4, 0).stream().map(_ -> read("0.2")).toList()));
    Futures.get(change());
  }
}
