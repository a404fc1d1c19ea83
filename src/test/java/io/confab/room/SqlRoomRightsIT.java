package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The functions that change rooms decide as [RoomRight] says: for every relation, in open and in
/// archived rooms.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlRoomRightsIT {
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  private TestDatabase database;
  private Connection connection;

  /// A change, what it needs, and how it is called: by account 1, done to account 2, a member.
  enum Change {
    JOIN(RoomRight.JOIN, "join_room(10, 1, NULL)"),
    JOIN_BY_INVITE(RoomRight.JOIN_BY_INVITE, "join_room(10, 1, 'code')"),
    ADD(RoomRight.ADD_MEMBER, "add_member(10, 1, 3, NULL)"),
    /// Who may not add members is refused first.
    GIVE_ROLE(RoomRight.CHANGE_ROLES, "add_member(10, 1, 2, 'admin')"),
    LEAVE(RoomRight.LEAVE, "remove_member(10, 1, 1)"),
    KICK(RoomRight.KICK, "remove_member(10, 1, 2)"),
    TRANSFER(RoomRight.TRANSFER, "transfer_room(10, 1, 2)"),
    BAN(RoomRight.BAN, "ban_member(10, 1, 2, NULL)"),
    UNBAN(RoomRight.BAN, "unban_member(10, 1, 4)"),
    MUTE(RoomRight.MUTE, "mute_member(10, 1, 2, now() + interval '1 hour')"),
    UNMUTE(RoomRight.MUTE, "unmute_member(10, 1, 2)"),
    CHANGE(
        RoomRight.CHANGE_SETTINGS,
        "change_room(10, 1, NULL, NULL, 'new', NULL, NULL, NULL, NULL, NULL)"),
    SEAL(
        RoomRight.SEAL,
        "change_room(10, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'olm1')"),
    SET_EXPIRY(
        RoomRight.SET_EXPIRY,
        "change_room(10, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0)"),
    ARCHIVE(RoomRight.ARCHIVE, "archive_room(10, 1)"),
    INVITE(RoomRight.INVITE, "make_invite(10, 1, 'i', 'other code', NULL, NULL, 9)"),
    DELETE_INVITE(RoomRight.INVITE, "delete_invite(10, 1, 'code', '')");

    private final RoomRight right;
    private final String call;

    Change(RoomRight right, String call) {
      this.right = right;
      this.call = call;
    }

    Optional<ErrorCode> refused(RoomRelation relation, boolean archived) {
      Optional<ErrorCode> refused = right.refused(relation, archived);
      return this == GIVE_ROLE
          ? RoomRight.ADD_MEMBER.refused(relation, archived).or(() -> refused)
          : refused;
    }
  }

  record Cell(Change change, RoomRelation relation, boolean archived) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Change change : Change.values()) {
      for (RoomRelation relation : RoomRelation.values()) {
        for (boolean archived : new boolean[] {false, true}) {
          cells.add(new Cell(change, relation, archived));
        }
      }
    }
    return cells;
  }

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 11) g");
    database.execute(
        "INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)"
            + " SELECT g, 'd', 'olm1', 'i', '' FROM generate_series(1, 11) g");
    connection = TestDatabase.connect(database.url());
    connection.setAutoCommit(false);
  }

  @AfterAll
  void drop() throws SQLException {
    connection.close();
    database.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theDatabaseDecidesAsTheTableSays(Cell cell) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      stand(statement, cell.relation(), cell.archived());

      Optional<ErrorCode> refused =
          text(statement, "SELECT refusal FROM " + cell.change().call)
              .map(outcome -> RoomRefusal.of(outcome).code());

      assertThat(refused).isEqualTo(cell.change().refused(cell.relation(), cell.archived()));
    } finally {
      connection.rollback();
    }
  }

  /// Whoever blocks changes the row of the own account first; who adds holds it.
  @Test
  void whoIsBlockedWhileAddingIsRefused() throws Exception {
    try (Connection blocker = TestDatabase.connect(database.url());
        Statement blocks = blocker.createStatement();
        Statement statement = connection.createStatement()) {
      room(statement, RoomType.GROUP, false);
      member(statement, 10, Role.OWNER);
      blocker.setAutoCommit(false);
      blocks.execute("SELECT FROM account WHERE account_id = 11 FOR NO KEY UPDATE");
      blocks.execute("INSERT INTO block (account_id, blocked_id) VALUES (11, 10)");

      CompletableFuture<Optional<String>> refusal =
          CompletableFuture.supplyAsync(
              () -> text(statement, "SELECT refusal FROM add_member(10, 10, 11, NULL)"),
              Thread::startVirtualThread);
      await().until(() -> database.count(WAITING) == 1);
      blocker.commit();

      assertThat(refusal.get()).contains("blocked");
    } finally {
      connection.rollback();
    }
  }

  /// Else anybody could hold up the changes of any account.
  @ParameterizedTest
  @ValueSource(
      strings = {"add_member(10, 10, 11, NULL)", "add_members(10, 10, ARRAY[11]::bigint[], true)"})
  void whoMayNotAddWaitsForNoAccount(String call) throws SQLException {
    try (Connection changing = TestDatabase.connect(database.url());
        Statement changes = changing.createStatement();
        Statement statement = connection.createStatement()) {
      room(statement, RoomType.GROUP, false);
      member(statement, 10, Role.MEMBER);
      changing.setAutoCommit(false);
      changes.execute("SELECT FROM account WHERE account_id = 11 FOR UPDATE");
      statement.execute("SET LOCAL lock_timeout = '30s'");

      assertThat(text(statement, "SELECT refusal FROM " + call)).contains("forbidden");
    } finally {
      connection.rollback();
    }
  }

  /// Rights that are needed besides: to act on somebody.
  @ParameterizedTest
  @EnumSource(names = {"ACT_ON_ADMIN", "ACT_ON_OWNER"})
  void whatIsNeededBesidesIsTheTablesToo(RoomRight right) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (RoomRelation relation : RoomRelation.values()) {
        assertThat(
                text(statement, decision(right, relation, false))
                    .map(outcome -> RoomRefusal.of(outcome).code()))
            .as("%s", relation)
            .isEqualTo(right.refused(relation, false));
      }
    }
  }

  private static String decision(RoomRight right, RoomRelation relation, boolean archived) {
    return "SELECT room_refused('%s', '%s', %s)".formatted(wire(right), wire(relation), archived);
  }

  private static String wire(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @MethodSource("relations")
  void theDatabaseNamesTheRelationAsJavaDoes(RoomType type, @Nullable Role role, boolean banned)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      room(statement, type, false);
      if (role != null) {
        member(statement, 1, role);
      }
      if (banned) {
        ban(statement, 1);
      }
      assertThat(text(statement, "SELECT relation FROM lock_room(10, 1, NULL)"))
          .contains(wire(RoomRelation.of(type, role, role == null && banned)));
    } finally {
      connection.rollback();
    }
  }

  static List<Object[]> relations() {
    List<Object[]> all = new ArrayList<>();
    for (RoomType type : RoomType.values()) {
      for (Role role : new Role[] {null, Role.MEMBER, Role.ADMIN, Role.OWNER}) {
        all.add(new Object[] {type, role, false});
        all.add(new Object[] {type, role, true});
      }
    }
    return all;
  }

  @Test
  void theDatabaseWritesIdsAsTheyStandOnTheWire() throws SQLException {
    Random random = new Random(7);
    List<Long> ids = new ArrayList<>(List.of(0L, 1L, 31L, 32L, Long.MAX_VALUE));
    random.longs(100, 0, Long.MAX_VALUE).forEach(ids::add);
    try (Statement statement = connection.createStatement()) {
      for (long id : ids) {
        assertThat(text(statement, "SELECT id_text(" + id + ")"))
            .contains(new AccountId(id).toString());
      }
    }
  }

  private static Optional<String> text(Statement statement, String sql) {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return Optional.ofNullable(row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static void stand(Statement statement, RoomRelation relation, boolean archived)
      throws SQLException {
    room(statement, type(relation), archived);
    switch (relation) {
      case OWNER -> member(statement, 1, Role.OWNER);
      case ADMIN -> member(statement, 1, Role.ADMIN);
      case MEMBER, PARTNER -> member(statement, 1, Role.MEMBER);
      case VISITOR, STRANGER -> {}
      case BANNED -> ban(statement, 1);
    }
    member(statement, 2, Role.MEMBER);
    member(statement, 5, Role.OWNER);
    ban(statement, 4);
    statement.execute(
        "INSERT INTO room_invite (room_id, invite_id, code_hash, made_by) VALUES (10, 'x', 'code',"
            + " 5)");
  }

  private static RoomType type(RoomRelation relation) {
    return switch (relation) {
      case PARTNER -> RoomType.DIRECT;
      case VISITOR -> RoomType.CHANNEL;
      case OWNER, ADMIN, MEMBER, STRANGER, BANNED -> RoomType.GROUP;
    };
  }

  private static void room(Statement statement, RoomType type, boolean archived)
      throws SQLException {
    boolean direct = type == RoomType.DIRECT;
    statement.execute(
        """
        INSERT INTO room (room_id, type, name, name_key, direct_low, direct_high, member_count)
        VALUES (10, '%s', 'name', %s, %s, %s, 3);
        INSERT INTO room_position (room_id, archived) VALUES (10, %s);
        """
            .formatted(
                type.wire(),
                type == RoomType.CHANNEL ? "'name'" : "NULL",
                direct ? "1" : "NULL",
                direct ? "2" : "NULL",
                archived));
  }

  private static void member(Statement statement, long account, Role role) throws SQLException {
    statement.execute(
        "INSERT INTO room_member (room_id, account_id, role) VALUES (10, %d, '%s')"
            .formatted(account, role.wire()));
  }

  private static void ban(Statement statement, long account) throws SQLException {
    statement.execute(
        "INSERT INTO room_ban (room_id, account_id, banned_by) VALUES (10, %d, 5)"
            .formatted(account));
  }
}
