package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.Epoch;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// When the epoch is raised, by what the server tells of itself.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class EpochStoreIT {
  private static final String FOREIGN = "UPDATE instance SET system_identifier = 42";

  private final TestDatabase postgres = TestDatabase.create();
  private final Vertx vertx;
  private final Database database;

  EpochStoreIT(Vertx vertx) {
    this.vertx = vertx;
    this.database = node();
  }

  private Database node() {
    return new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
  }

  @AfterEach
  void close() {
    postgres.close();
  }

  private long stored() {
    return postgres.count("SELECT epoch FROM instance");
  }

  @Test
  void whatIsSeenFirstIsStoredWithoutARaise() {
    assertThat(Futures.get(database.epochs().look())).isEqualTo(new Epoch(1));
    EpochStore.Stored stored = Futures.get(database.epochs().stored());
    assertThat(stored.systemIdentifier())
        .contains(postgres.count("SELECT system_identifier FROM pg_control_system()"));
    assertThat(stored.timeline())
        .contains(postgres.count("SELECT timeline_id FROM pg_control_checkpoint()"));
    assertThat(database.epoch().current()).isEqualTo(new Epoch(1));
  }

  @Test
  void theSameServerChangesNothing() {
    Futures.get(database.epochs().look());
    long version = postgres.count("SELECT xmin::text::bigint FROM instance");
    Futures.get(database.epochs().look());
    assertThat(stored()).isEqualTo(1);
    assertThat(postgres.count("SELECT xmin::text::bigint FROM instance")).isEqualTo(version);
  }

  @Test
  void anotherServerRaisesItOnce() {
    Futures.get(database.epochs().look());
    postgres.execute(FOREIGN);
    long raised = Futures.get(database.epochs().look()).value();
    assertThat(raised).isGreaterThan(1).isEqualTo(stored());
    assertThat(Futures.get(database.epochs().look()).value()).isEqualTo(raised);
  }

  @Test
  void anotherTimelineRaisesIt() {
    Futures.get(database.epochs().look());
    postgres.execute("UPDATE instance SET timeline = timeline + 1");
    assertThat(Futures.get(database.epochs().look())).isGreaterThan(new Epoch(1));
  }

  @Test
  void manyNodesAndConnectionsAtOnceRaiseItOnceAndAllAreToldTheSame() {
    Futures.get(database.epochs().look());
    List<Database> nodes = List.of(node(), node(), node(), node());
    for (int round = 0; round < 10; round++) {
      postgres.execute(FOREIGN);
      long before = stored();
      List<Future<Epoch>> looks = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        nodes.forEach(node -> looks.add(node.epochs().look()));
      }
      assertThat(looks.stream().map(Futures::get).distinct())
          .singleElement()
          .satisfies(epoch -> assertThat(epoch.value()).isGreaterThan(before).isEqualTo(stored()));
    }
  }

  @Test
  void anEpochIsNeverGivenAgainAlthoughACopyForgotIt() {
    long known = Futures.get(database.epochs().raise()).value();
    assertThat(known).isGreaterThanOrEqualTo(postgres.count("SELECT 1700000000"));
    postgres.execute("UPDATE instance SET epoch = 1");
    assertThat(Futures.get(database.epochs().raise()).value()).isGreaterThan(known);
    postgres.execute("UPDATE instance SET epoch = 1");
    // a node that knows nothing of it, a second later at the soonest
    await().until(() -> postgres.count("SELECT extract(epoch FROM now())::bigint") > known + 1);
    assertThat(Futures.get(node().epochs().raise()).value()).isGreaterThan(known + 1);
  }

  @Test
  void aStoredEpochThatIsOlderThanTheKnownOneIsThatOfAnOlderCopy() {
    Futures.get(database.epochs().look());
    Epoch known = new Epoch(Instant.parse("2100-01-01T00:00:00Z").getEpochSecond());
    database.epoch().saw(known);
    assertThat(Futures.get(database.epochs().look())).isEqualTo(new Epoch(known.value() + 1));
    assertThat(stored()).isEqualTo(known.value() + 1);
  }

  @Test
  void aReadThatTellsAnOlderEpochMakesTheNodeLook() {
    Futures.get(database.epochs().look());
    database.epoch().saw(new Epoch(5));
    database.epochs().saw(new Epoch(1));
    await().until(() -> database.epoch().current().isAfter(new Epoch(5)));
    assertThat(stored()).isEqualTo(database.epoch().current().value());
  }

  @Test
  void aWritersConnectionIsNoLongerOpenUnderANewEpoch() {
    WriterConnection writer = new WriterConnection(database, TestConfig.postgres().lockTimeout());
    Futures.get(writer.open());
    assertThat(writer.isOpen()).isTrue();
    assertThat(writer.epoch()).isEqualTo(new Epoch(1));
    Epoch raised = Futures.get(database.epochs().raise());
    assertThat(writer.isOpen()).isFalse();
    Futures.get(writer.open());
    assertThat(writer.isOpen()).isTrue();
    assertThat(writer.epoch()).isEqualTo(raised);
    Futures.get(writer.close());
  }

  @Test
  void anOrdinaryUserMayLookAndRaise() {
    String user = "plain_" + postgres.url().database();
    PostgresUrl plain = as(user);
    Database ordinary = new Database(vertx, plain, TestConfig.postgres());
    assertThat(Futures.get(ordinary.epochs().look())).isEqualTo(new Epoch(1));
    assertThat(Futures.get(ordinary.epochs().stored()).timeline()).isPresent();
    assertThat(Futures.get(ordinary.epochs().raise())).isGreaterThan(new Epoch(1));
    postgres.execute("DROP OWNED BY " + user + "; DROP ROLE " + user);
  }

  @Test
  void aServerThatDoesNotTellWhichItIsServesAllTheSame() {
    String user = "barred_" + postgres.url().database();
    PostgresUrl plain = as(user);
    postgres.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    Database ordinary = new Database(vertx, plain, TestConfig.postgres());
    assertThat(Futures.get(ordinary.epochs().look())).isEqualTo(new Epoch(1));
    assertThat(Futures.get(ordinary.epochs().stored()).systemIdentifier()).isEmpty();
    ordinary.epoch().saw(new Epoch(9));
    assertThat(Futures.get(ordinary.epochs().look())).isGreaterThan(new Epoch(9));
    postgres.execute("DROP OWNED BY " + user + "; DROP ROLE " + user);
  }

  private PostgresUrl as(String user) {
    PostgresUrl url = postgres.url();
    postgres.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
    postgres.execute("GRANT SELECT, UPDATE ON instance TO " + user);
    return new PostgresUrl(url.host(), url.port(), url.database(), user, "secret");
  }
}
