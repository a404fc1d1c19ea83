package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Blocks, on a real database.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class BlockStoreIT {
  private static final AccountId OWN = new AccountId(1);
  private static final AccountId OTHER = new AccountId(2);
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  /// Else one could be brought into a room by somebody whom one has blocked already.
  @Test
  void aBlockWaitsForThoseWhoAddTheAccountToARoom(Vertx vertx) throws Exception {
    try (TestDatabase server = TestDatabase.create();
        Connection adder = TestDatabase.connect(server.url());
        Statement adds = adder.createStatement()) {
      server.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 2) g");
      Database database = new Database(vertx, server.url(), TestConfig.postgres());
      BlockStore blocks = new BlockStore(database);
      adder.setAutoCommit(false);
      adds.execute("SELECT hold_account(1)");

      Future<Boolean> known = blocks.insert(OWN, OTHER);
      await().until(() -> server.count(WAITING) == 1);
      assertThat(server.count("SELECT count(*) FROM block")).isZero();
      adder.commit();

      assertThat(Futures.get(known)).isTrue();
      assertThat(server.count("SELECT count(*) FROM block")).isEqualTo(1);
      Futures.get(database.close());
    }
  }
}
