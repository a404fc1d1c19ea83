package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.account.AccountCommand.ChangeMe;
import io.confab.account.AccountCommand.MeChange;
import io.confab.account.AccountCommand.ReadMe;
import io.confab.account.AccountNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Two who have seen the same state change it on two nodes, and both wait for its lock before one
/// of them gets it: the other must look again.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class SeenStateIT {
  private static final AccountId ANN = new AccountId(1);
  private static final String WAITING =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  private final TestDatabase database = TestDatabase.create();

  @BeforeEach
  void insert() {
    database.execute("INSERT INTO account (account_id, handle, display_name) VALUES (1, 'a', 'A')");
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void oneOfTwoChangesARoom(Vertx vertx) throws SQLException {
    try (RoomNode one = new RoomNode(vertx, database.url());
        RoomNode other = new RoomNode(vertx, database.url())) {
      RoomId room = one.create(ANN, RoomType.GROUP, "Tea", List.of()).roomId();
      List<EntityTag> seen = List.of(one.get(new GetRoom(ANN, room)).tag());

      assertThat(
              outcomes(
                  "SELECT FROM room_position FOR UPDATE",
                  () -> one.ask(new ChangeRoom(ANN, room, RoomSettings.named("One"), seen)),
                  () -> other.ask(new ChangeRoom(ANN, room, RoomSettings.named("Two"), seen))))
          .containsExactlyInAnyOrder("done", "precondition_failed");
    }
  }

  @Test
  void oneOfTwoChangesAnAccount(Vertx vertx) throws SQLException {
    try (AccountNode one = new AccountNode(vertx, database.url());
        AccountNode other = new AccountNode(vertx, database.url())) {
      List<EntityTag> seen = List.of(one.get(new ReadMe(ANN)).tag());

      assertThat(
              outcomes(
                  "SELECT FROM account FOR UPDATE",
                  () -> one.ask(new ChangeMe(ANN, renamed("One"), seen)),
                  () -> other.ask(new ChangeMe(ANN, renamed("Two"), seen))))
          .containsExactlyInAnyOrder("done", "precondition_failed");
    }
  }

  private static MeChange renamed(String name) {
    return new MeChange(name, null, null, null, null);
  }

  private List<String> outcomes(
      String lock, Supplier<Future<?>> oneChange, Supplier<Future<?>> otherChange)
      throws SQLException {
    List<Future<String>> changes;
    try (Connection connection = TestDatabase.connect(database.url());
        Statement holder = connection.createStatement()) {
      connection.setAutoCommit(false);
      holder.execute(lock);
      changes = Stream.of(oneChange, otherChange).map(change -> outcome(change.get())).toList();
      Set<Integer> waited = new HashSet<>();
      await().until(() -> addWaiting(waited).size() >= 2);
      connection.rollback();
    }
    return changes.stream().map(Futures::get).toList();
  }

  /// Whoever waits tries again after a while: the two need not be seen at once.
  private Set<Integer> addWaiting(Set<Integer> waited) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.url());
        Statement statement = connection.createStatement();
        ResultSet pids = statement.executeQuery(WAITING)) {
      while (pids.next()) {
        waited.add(pids.getInt(1));
      }
    }
    return waited;
  }

  private static Future<String> outcome(Future<?> change) {
    return change
        .map("done")
        .recover(
            failure ->
                failure instanceof Refusal refusal
                    ? Future.succeededFuture(refusal.code().wire())
                    : Future.failedFuture(failure));
  }
}
