package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.account.BlockStore.Inserted;
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

  @Test
  void anAccountBlocksSoManyAndNoMore(Vertx vertx) throws Exception {
    try (TestDatabase server = TestDatabase.create()) {
      server.execute(
          "INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, "
              + (BlockStore.MOST + 2)
              + ") g");
      server.execute(
          "INSERT INTO block SELECT 1, g FROM generate_series(3, " + (BlockStore.MOST + 1) + ") g");
      Database database = new Database(vertx, server.nodeUrl(), TestConfig.postgres());
      BlockStore blocks = new BlockStore(database);
      AccountId last = new AccountId(BlockStore.MOST + 2);
      assertThat(Futures.get(insert(database, OWN, OTHER))).isEqualTo(Inserted.DONE);
      assertThat(Futures.get(insert(database, OWN, last))).isEqualTo(Inserted.FULL);
      assertThat(Futures.get(insert(database, OWN, OTHER))).as("again").isEqualTo(Inserted.DONE);
      assertThat(Futures.get(insert(database, OWN, new AccountId(99_999))))
          .isEqualTo(Inserted.NO_SUCH_ACCOUNT);
      assertThat(server.count("SELECT count(*) FROM block")).isEqualTo(BlockStore.MOST);
      Futures.get(database.transaction(tx -> blocks.delete(tx, OWN, OTHER)));
      assertThat(Futures.get(insert(database, OWN, last))).isEqualTo(Inserted.DONE);
      Futures.get(database.close());
    }
  }

  /// Else one could be brought into a room by somebody whom one has blocked already.
  @Test
  void aBlockWaitsForThoseWhoAddTheAccountToARoom(Vertx vertx) throws Exception {
    try (TestDatabase server = TestDatabase.create();
        Connection adder = TestDatabase.connect(server.url());
        Statement adds = adder.createStatement()) {
      server.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 2) g");
      Database database = new Database(vertx, server.nodeUrl(), TestConfig.postgres());
      adder.setAutoCommit(false);
      adds.execute("SELECT hold_account(1)");

      Future<Inserted> done = insert(database, OWN, OTHER);
      Future<Inserted> again = insert(database, OWN, OTHER);
      await().until(() -> server.count(WAITING) == 2);
      assertThat(server.count("SELECT count(*) FROM block")).isZero();
      adder.commit();

      assertThat(Futures.get(done)).isEqualTo(Inserted.DONE);
      assertThat(Futures.get(again)).isEqualTo(Inserted.DONE);
      assertThat(server.count("SELECT count(*) FROM block")).isEqualTo(1);
      Futures.get(database.close());
    }
  }

  private static Future<Inserted> insert(Database database, AccountId account, AccountId blocked) {
    return database.transaction(
        transaction -> new BlockStore(database).insert(transaction, account, blocked));
  }
}
