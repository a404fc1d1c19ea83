package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many people and devices a sealed room has at most, by whatever way they come. Account 1 owns
/// the room and has all of its devices; account 2 comes with one more, account 3 with none. Each
/// case is rolled back.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedBoundsIT {
  private static final String SEAL =
      "change_room(10, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'olm1')";
  private static final String ADD = "add_member(10, 1, %d, NULL)";
  private static final String JOIN = "join_room(10, %d, 'code')";
  private static final String ACCEPT = "join_room(10, %d, NULL, true)";

  private TestDatabase database;
  private Connection connection;
  private Statement statement;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 3) g");
    connection = TestDatabase.connect(database.url());
    connection.setAutoCommit(false);
    statement = connection.createStatement();
  }

  @AfterEach
  void rollBack() throws SQLException {
    connection.rollback();
  }

  @AfterAll
  void drop() throws SQLException {
    connection.close();
    database.close();
  }

  /// @param devices a third of them is dormant; those that hold keys no longer come on top
  private void room(boolean sealed, long members, long devices) throws SQLException {
    statement.execute(
        """
        INSERT INTO room (room_id, type, name, member_count, encryption_suite, sealed_from_seq, sealed_from_rev)
          VALUES (10, 'group', 'name', %2$d, %3$s);
        INSERT INTO room_position (room_id, sealed) VALUES (10, %1$s);
        INSERT INTO room_member (room_id, account_id, role) VALUES (10, 1, 'owner');
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq) VALUES (10, 1, 0, 1);
        INSERT INTO room_invite (room_id, invite_id, code_hash, made_by, uses, expires_at)
          VALUES (10, 'i', 'code', 1, 0, 'infinity');
        INSERT INTO invitation (account_id, room_id, invited_by, open, changed_at, ts)
          SELECT a, 10, 1, true, now(), now() FROM generate_series(2, 3) a;
        INSERT INTO device_queue (registration_id, account_id, dormant)
          SELECT 100 + i, 1, i %% 3 = 0 FROM generate_series(1, %4$d) i;
        INSERT INTO device_queue (registration_id, account_id, dormant, ended)
          SELECT 10000 + i, 1, true, true FROM generate_series(1, 3) i;
        INSERT INTO device_queue (registration_id, account_id) VALUES (100, 2);
        """
            .formatted(sealed, members, sealed ? "'olm1', 1, 1" : "NULL, NULL, NULL", devices));
  }

  /// Why it is refused, else `done`.
  private String call(String call) throws SQLException {
    try (var row = statement.executeQuery("SELECT coalesce(refusal, 'done') FROM " + call)) {
      row.next();
      return row.getString(1);
    }
  }

  private String added(String accounts) throws SQLException {
    try (var row =
        statement.executeQuery(
            "SELECT outcomes::text FROM add_members(10, 1, ARRAY[%s]::bigint[], false)"
                .formatted(accounts))) {
      row.next();
      return row.getString(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // members, devices, becomes
    "256, 1000, done",
    "257, 1,    seal_full",
    "2,   1001, seal_full",
  })
  void aRoomThatIsLargerCannotBeSealed(long members, long devices, String becomes)
      throws SQLException {
    room(false, members, devices);

    assertThat(call(SEAL)).isEqualTo(becomes);
  }

  @ParameterizedTest
  @CsvSource({
    // members, devices, who comes, becomes
    "255, 999,  2, done",
    "256, 1,    2, seal_full",
    "2,   1000, 2, seal_full",
    "2,   1000, 3, done",
    "2,   1001, 3, seal_full",
  })
  void nobodyComesIntoASealedRoomBeyondThat(long members, long devices, int who, String becomes)
      throws SQLException {
    for (String way : new String[] {ADD, JOIN, ACCEPT}) {
      room(true, members, devices);
      assertThat(call(way.formatted(who))).as(way).isEqualTo(becomes);
      connection.rollback();
    }
    room(true, members, devices);
    assertThat(added(Integer.toString(who)))
        .isEqualTo(becomes.equals("done") ? "{added}" : "{seal_full}");
  }

  @Test
  void ofManyWhoAreAddedAtOnceAllComeOrNone() throws SQLException {
    room(true, 255, 1);
    assertThat(added("2,1,3")).isEqualTo("{seal_full,member,seal_full}");
    assertThat(added("3")).isEqualTo("{added}");
  }

  @Test
  void aRoomThatIsNotSealedHasNoSuchBounds() throws SQLException {
    room(false, 300, 2_000);
    assertThat(call(ADD.formatted(2))).isEqualTo("done");
    assertThat(call(JOIN.formatted(3))).isEqualTo("done");
  }

  @Test
  void itIsAConflict() {
    assertThat(RoomRefusal.of("seal_full").code()).isEqualTo(ErrorCode.CONFLICT);
  }
}
