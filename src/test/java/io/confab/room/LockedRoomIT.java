package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.ListRooms;
import io.confab.room.RoomCommand.RoomView;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A room that another transaction has locked, for instance that of a node that stands still, keeps
/// nobody waiting but those who change it.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class LockedRoomIT {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);
  private static final int JOINING = 150;

  private final TestDatabase database = TestDatabase.create();
  private RoomNode node;
  private RoomId locked;
  private RoomId other;

  @BeforeEach
  void open(Vertx vertx) {
    node = new RoomNode(vertx, database.url());
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 300) g");
    locked = node.create(ANN, RoomType.CHANNEL, "Locked", List.of()).roomId();
    other = node.create(ANN, RoomType.CHANNEL, "Other", List.of()).roomId();
  }

  @AfterEach
  void close() {
    node.close();
    database.close();
  }

  @Test
  void readsAndChangesOfOtherRoomsGoOnAndItsOwnAreMadeWhenItIsFree() throws SQLException {
    List<Future<RoomView>> joining;
    try (Connection connection = TestDatabase.connect(database.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "SELECT 1 FROM room_position WHERE room_id = " + locked.value() + " FOR UPDATE");
      joining =
          IntStream.range(3, 3 + JOINING)
              .mapToObj(account -> node.ask(new Join(new AccountId(account), locked)))
              .toList();

      assertThat(node.get(new ListRooms(ANN, null, 9)).rooms()).hasSize(2);
      assertThat(node.memberships(List.of(new MembershipStore.Question(ANN, 9, null, null))))
          .hasSize(1);
      assertThat(node.get(new Join(BOB, other)).room().memberCount()).isEqualTo(2);
      assertThat(joining).noneMatch(Future::isComplete);
      connection.rollback();
    }
    Futures.get(Future.all(joining));
    assertThat(node.get(new ListRooms(ANN, null, 9)).rooms())
        .filteredOn(room -> room.room().roomId().equals(locked))
        .first()
        .satisfies(room -> assertThat(room.room().memberCount()).isEqualTo(1 + JOINING));
  }
}
