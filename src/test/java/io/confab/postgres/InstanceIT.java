package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class InstanceIT {
  private final TestDatabase postgres = TestDatabase.create();
  private final TcpProxy way = TcpProxy.before(postgres.url().text(), Filter::none);
  private final Vertx vertx;
  private final Database database;

  InstanceIT(Vertx vertx) {
    this.vertx = vertx;
    this.database = new Database(vertx, PostgresUrl.parse(way.url()), TestConfig.postgres());
  }

  @AfterEach
  void close() {
    way.close();
    Futures.get(database.close());
    postgres.close();
  }

  @Test
  void aStartWaitsForAPostgresqlThatResetsConnectionsAtFirst() {
    way.conduct(TcpProxy.Conduct.REFUSE);
    Future<Instance> read = Instance.readPatiently(database, vertx);
    long first = way.accepted();
    await().until(() -> way.accepted() > first + 2);
    assertThat(read.isComplete()).isFalse();

    way.heal();

    assertThat(Futures.get(read).publishKey()).isNotEmpty();
  }

  @Test
  void whatIsNoOutageIsNotWaitedFor() {
    postgres.execute("DROP TABLE instance CASCADE");

    assertThatThrownBy(() -> Futures.get(Instance.readPatiently(database, vertx)))
        .isInstanceOf(UnusableDatabaseException.class);
  }
}
