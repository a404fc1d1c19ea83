package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A room that another transaction has locked keeps the other rooms of its writer waiting only
/// shortly.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class LockedRoomWriterIT {
  private static final long LOCKED = 1;
  private static final int ROOMS = 6;

  private final TestDatabase postgres = TestDatabase.create();
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private Context context;
  private Database database;
  private MessageWriter writer;

  @BeforeEach
  void open(Vertx vertx) {
    for (int room = 1; room <= ROOMS; room++) {
      postgres.execute(Chat.room(room, "group", 1, 2));
    }
    context = vertx.getOrCreateContext();
    database = Chat.database(vertx, postgres.nodeUrl());
    writer =
        new MessageWriters(
                database,
                announcer,
                TestConfig.patient(TestConfig.node(Path.of("."))),
                new Meters())
            .plain(vertx);
  }

  @AfterEach
  void close() {
    await(onLoop(() -> writer.close()));
    await(database.close());
    postgres.close();
  }

  @Test
  void otherRoomsGoOnWhileItIsLockedAndItsOwnKeepTheirOrder() throws SQLException {
    await(send(2, "before"));
    List<Future<Sent>> held;
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT 1 FROM room_position WHERE room_id = 1 FOR UPDATE");
      held = IntStream.range(0, 50).mapToObj(i -> send(LOCKED, "held" + i)).toList();
      for (int round = 0; round < 3; round++) {
        String id = "round" + round;
        await(
            Future.all(
                IntStream.rangeClosed(2, ROOMS).mapToObj(room -> send(room, room + id)).toList()));
      }
      await(onLoop(() -> writer.change(Chat.edit(2, 1, 1, "edit", "now"))));
      assertThat(held).noneMatch(Future::isComplete);
      connection.rollback();
    }
    await(Future.all(held));
    assertThat(held.stream().map(sent -> sent.result().seq().value()))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  private Future<Sent> send(long room, String clientId) {
    return onLoop(() -> writer.append(Chat.draft(room, 1, clientId)));
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> work) {
    return Future.future(done -> context.runOnContext(_ -> work.get().onComplete(done)));
  }
}
