package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.EventStore;
import io.confab.feed.VisibilityStore;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A node of which nothing is asked but what was said learns of a new epoch from that.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class ReadEpochIT {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(1);
  private static final Epoch OLD = new Epoch(1);
  private static final Epoch NEW = new Epoch(2);

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;

  ReadEpochIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
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
  void byAPageOfHistory() {
    tells(() -> new HistoryStore(database).read(ReadHistory.newest(ANN, ROOM, 10)));
  }

  @Test
  void byAPageOfTheLogThatDoesNotGoOn() {
    LogStore log = new LogStore(database, new EventStore(database), new VisibilityStore(database));
    tells(() -> log.read(new ReadLog(ANN, ROOM, OLD, new Rev(1), 10, false)));
  }
}
