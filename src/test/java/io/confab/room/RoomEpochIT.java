package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.Chat;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A node of which nothing is asked but rooms learns of a new epoch from that.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class RoomEpochIT {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(1);
  private static final Epoch OLD = new Epoch(1);
  private static final Epoch NEW = new Epoch(2);

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final RoomStore store;

  RoomEpochIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.store = new RoomStore(database);
    postgres.execute(Chat.room(ROOM.value(), "group", 1, 2));
  }

  @AfterEach
  void close() {
    Futures.get(database.close());
    postgres.close();
  }

  private void tells(Supplier<Future<?>> statement) {
    Futures.get(database.epochs().look());
    assertThat(database.epoch().current()).isEqualTo(OLD);
    postgres.execute("UPDATE instance SET epoch = " + NEW);
    Futures.get(statement.get());
    assertThat(database.epoch().current()).isEqualTo(NEW);
  }

  @Test
  void byOneRoom() {
    tells(() -> store.find(ANN, ROOM));
  }

  @Test
  void byADirectRoom() {
    postgres.execute("UPDATE room SET type = 'direct', direct_low = 1, direct_high = 2");
    tells(() -> store.findDirect(ANN, List.of(ANN, new AccountId(2))));
  }

  @Test
  void byTheRoomsOfAnAccount() {
    tells(() -> store.list(ANN, null, 10));
  }
}
