package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the functions that change rooms make of a room: who may act on whom, and what its log says
/// then. The caller is account 1; each case is rolled back.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomRulesIT {
  private TestDatabase database;
  private Connection connection;
  private Statement statement;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 9) g");
    connection = TestDatabase.connect(database.url());
    connection.setAutoCommit(false);
  }

  @BeforeEach
  void begin() throws SQLException {
    statement = connection.createStatement();
  }

  @AfterEach
  void rollBack() throws SQLException {
    statement.close();
    connection.rollback();
  }

  @AfterAll
  void drop() throws SQLException {
    connection.close();
    database.close();
  }

  /// A room at seq 5 and rev 10.
  ///
  /// @param role of the caller; `-` for none
  private void room(String type, String role, long members, @Nullable Long most, boolean archived)
      throws SQLException {
    boolean direct = type.equals("direct");
    statement.execute(
        """
        INSERT INTO room (room_id, type, name, name_key, direct_low, direct_high, member_count,
          max_members)
        VALUES (10, '%s', 'name', %s, %s, %s, %d, %d);
        INSERT INTO room_position (room_id, last_seq, last_rev, archived) VALUES (10, 5, 10, %s);
        """
            .formatted(
                type,
                type.equals("channel") ? "'name'" : "NULL",
                direct ? "1" : "NULL",
                direct ? "2" : "NULL",
                members,
                most,
                archived));
    member(1, role);
  }

  private void member(long account, String role) throws SQLException {
    if (!role.equals("-")) {
      statement.execute(
          """
          INSERT INTO room_member (room_id, account_id, role) VALUES (10, %d, '%s');
          INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
          VALUES (10, %1$d, 1, 1);
          """
              .formatted(account, role));
    }
  }

  private void mute(long account) throws SQLException {
    statement.execute(
        "UPDATE room_member SET muted_until = 'infinity' WHERE account_id = " + account);
  }

  /// Why it is refused, else the kinds of what the log says, each with its number of people.
  private String call(String call) throws SQLException {
    List<String> told = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT c.refusal, t.kind, t.data FROM "
                + call
                + " c LEFT JOIN LATERAL told_room(10, c.before) t ON true")) {
      while (rows.next()) {
        String refusal = rows.getString(1);
        String kind = rows.getString(2);
        if (refusal != null) {
          return refusal;
        }
        if (kind != null) {
          told.add(kind.replaceFirst("^(member|room)\\.", ""));
        }
      }
    }
    return told.isEmpty() ? "nothing" : String.join(" ", told);
  }

  private String one(String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // members already, most, becomes
    "1,    ,  joined",
    "199,  ,  joined",
    "200,  ,  members",
    "9,    10, joined",
    "10,   10, room_full",
    "300,  300, room_full",
  })
  void whoJoinsIsNamedOrCountedOrFindsNoPlace(long members, @Nullable Long most, String becomes)
      throws SQLException {
    room("channel", "-", members, most, false);

    assertThat(call("join_room(10, 1, NULL)")).isEqualTo(becomes);
    assertThat(one("SELECT count(*) FROM room_member"))
        .isEqualTo(becomes.equals("room_full") ? "0" : "1");
  }

  @Test
  void aBigRoomCountsWhoComesAndGoes() throws SQLException {
    room("channel", "-", 300, null, false);

    assertThat(call("join_room(10, 1, NULL)")).isEqualTo("members");
    assertThat(one("SELECT data FROM room_change WHERE rev = 11"))
        .isEqualTo("{\"left\": 0, \"joined\": 1, \"rev_from\": 11}");
    assertThat(call("remove_member(10, 1, 1)")).isEqualTo("members");
    assertThat(one("SELECT data || to_jsonb(left_reason) FROM room_change WHERE rev = 12"))
        .isEqualTo("[{\"left\": 1, \"joined\": 0, \"rev_from\": 12}, \"left\"]");
  }

  @Test
  void whoIsInTheRoomAlreadyChangesNothing() throws SQLException {
    room("channel", "member", 300, null, false);

    assertThat(call("join_room(10, 1, NULL)")).isEqualTo("nothing");
    assertThat(call("join_room(10, 1, 'code')")).isEqualTo("nothing");
  }

  @Test
  void aRemovedAccountJoinsNothing() throws SQLException {
    room("channel", "-", 1, null, false);
    statement.execute("UPDATE account SET removed_at = now() WHERE account_id IN (1, 3)");

    assertThat(call("join_room(10, 1, NULL)")).isEqualTo("no_account");
    member(2, "owner");
    assertThat(call("add_member(10, 2, 3, NULL)")).isEqualTo("no_account");
    assertThat(call("ban_member(10, 2, 3, NULL)")).isEqualTo("no_account");
  }

  @ParameterizedTest
  @CsvSource({
    // uses, most, expires, becomes
    "0, 1,    infinity,  joined",
    "1, 1,    infinity,  invite_over",
    "9, NULL, infinity,  joined",
    "0, 1,    -infinity, invite_over",
  })
  void anInvitationLastsAndIsUsedUp(long uses, String most, String expires, String becomes)
      throws SQLException {
    room("group", "-", 1, null, false);
    statement.execute(
        """
        INSERT INTO room_invite (room_id, invite_id, code_hash, made_by, uses, max_uses, expires_at)
        VALUES (10, 'i', 'code', 2, %d, %s, '%s')
        """
            .formatted(uses, most, expires));

    assertThat(call("join_room(10, 1, 'code')")).isEqualTo(becomes);
    assertThat(one("SELECT uses FROM room_invite"))
        .isEqualTo(Long.toString(becomes.equals("joined") ? uses + 1 : uses));
    assertThat(call("join_room(10, 2, 'other')")).isEqualTo("no_invite");
  }

  @ParameterizedTest
  @CsvSource({
    // caller, as, banned, becomes
    "owner, owner,  false, joined role",
    "owner, member, false, joined",
    "admin, member, false, joined",
    "admin, admin,  false, forbidden",
    "admin, admin,  true,  forbidden",
    "owner, member, true,  account_banned",
  })
  void onlyOwnersAddMembersWithARole(String caller, String as, boolean banned, String becomes)
      throws SQLException {
    room("group", caller, 2, null, false);
    if (banned) {
      statement.execute("INSERT INTO room_ban (room_id, account_id, banned_by) VALUES (10, 2, 1)");
    }
    assertThat(call("add_member(10, 1, 2, '" + as + "')")).isEqualTo(becomes);
  }

  @ParameterizedTest
  @CsvSource({
    // role, members, heir, becomes
    "member, 2, -,      left",
    "admin,  2, -,      left",
    "owner,  1, -,      left archived",
    "member, 1, -,      left archived",
    "owner,  2, owner,  left",
    "owner,  2, admin,  last_owner",
    "owner,  2, member, last_owner",
  })
  void theLastOwnerStaysUnlessAlone(String role, long members, String heir, String becomes)
      throws SQLException {
    room("group", role, members, null, false);
    member(2, heir);

    assertThat(call("remove_member(10, 1, 1)")).isEqualTo(becomes);
  }

  @ParameterizedTest
  @CsvSource({
    // type, role, members, archived, heir, becomes
    "group,  member, 2, false, -,      left",
    "group,  owner,  1, false, -,      left archived",
    "group,  owner,  1, true,  -,      left",
    "direct, member, 2, false, -,      left archived",
    "direct, member, 1, true,  -,      left",
    "group,  owner,  2, false, owner,  left",
    "group,  owner,  2, false, admin,  left role",
    "group,  -,      2, false, owner,  nothing",
  })
  void theRoomOfARemovedAccountGoesOnOrIsArchived(
      String type, String role, long members, boolean archived, String heir, String becomes)
      throws SQLException {
    room(type, role, members, null, archived);
    member(2, heir);

    assertThat(call("take_out_account(10, 1)")).isEqualTo(becomes);
  }

  @Test
  void theHeirOfARemovedAccountIsTheOldestAndMaySpeak() throws SQLException {
    room("group", "owner", 300, null, false);
    member(2, "member");
    member(3, "member");
    mute(2);
    statement.execute(
        "UPDATE room_member SET joined_at = now() - interval '1 day' WHERE account_id = 2");

    assertThat(call("take_out_account(10, 1)")).isEqualTo("members muted role");
    assertThat(one("SELECT role FROM room_member WHERE account_id = 2")).isEqualTo("owner");
    assertThat(one("SELECT muted_until FROM room_member WHERE account_id = 2")).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({
    // caller, on, refused
    "owner, member, -",
    "owner, admin,  -",
    "owner, owner,  forbidden",
    "admin, member, -",
    "admin, admin,  forbidden",
    "admin, owner,  forbidden",
  })
  void onWhomOneMayActIsAQuestionOfBothRoles(String caller, String on, String refused)
      throws SQLException {
    room("group", caller, 3, null, false);
    member(2, on);
    boolean may = refused.equals("-");

    assertThat(call("mute_member(10, 1, 2, '2100-01-01Z')")).isEqualTo(may ? "muted" : refused);
    assertThat(call("unmute_member(10, 1, 2)")).isEqualTo(may ? "muted" : refused);
    assertThat(call("ban_member(10, 1, 2, 'why')")).isEqualTo(may ? "left" : refused);
    assertThat(call("ban_member(10, 1, 2, 'why')")).isEqualTo(may ? "nothing" : refused);
    assertThat(call("remove_member(10, 1, 2)")).isEqualTo(may ? "nothing" : refused);
  }

  @ParameterizedTest
  @CsvSource({
    // was muted, in the room, becomes
    "true,  true,  muted",
    "true,  false, nothing",
    "false, true,  nothing",
    "false, false, nothing",
  })
  void theEndOfAMuteIsToldWhereSomebodyIs(boolean was, boolean inside, String becomes)
      throws SQLException {
    room("group", "admin", 3, null, false);
    if (inside) {
      member(2, "member");
    }
    if (was) {
      statement.execute("INSERT INTO room_mute VALUES (10, 2, 'infinity')");
    }
    assertThat(call("unmute_member(10, 1, 2)")).isEqualTo(becomes);
    assertThat(one("SELECT count(*) FROM room_audit")).isEqualTo(was ? "1" : "0");
  }

  @Test
  void aMuteLastsToATimeThatIsToCome() throws SQLException {
    room("group", "admin", 3, null, false);
    member(2, "member");

    assertThat(call("mute_member(10, 1, 2, '2100-01-01Z')")).isEqualTo("muted");
    assertThat(call("mute_member(10, 1, 2, '2100-01-01Z')")).isEqualTo("nothing");
    assertThat(call("mute_member(10, 1, 2, now())")).isEqualTo("past");
  }

  @ParameterizedTest
  @CsvSource({
    // caller, whose, has, gets, another, becomes
    "owner, 2, member, admin,  -,      role",
    "owner, 2, admin,  owner,  -,      role",
    "owner, 2, owner,  member, -,      forbidden",
    "owner, 1, owner,  member, owner,  role",
    "owner, 1, owner,  member, admin,  last_owner",
    "owner, 1, owner,  member, -,      last_owner",
    "owner, 1, owner,  owner,  -,      nothing",
    "admin, 2, member, admin,  -,      forbidden",
    "admin, 2, member, member, -,      nothing",
    "admin, 1, admin,  member, -,      forbidden",
  })
  void ownersChangeRolesButNotTheOwnershipOfOthers(
      String caller, long whose, String has, String gets, String another, String becomes)
      throws SQLException {
    room("group", caller, 3, null, false);
    if (whose == 2) {
      member(2, has);
    }
    member(3, another);

    assertThat(call("add_member(10, 1, %d, '%s')".formatted(whose, gets))).isEqualTo(becomes);
  }

  @Test
  void aTransferMakesAnOwnerAndAnAdmin() throws SQLException {
    room("group", "owner", 3, null, false);
    member(2, "member");
    mute(2);

    assertThat(call("transfer_room(10, 1, 1)")).isEqualTo("is_owner");
    assertThat(call("transfer_room(10, 1, 3)")).isEqualTo("no_member");
    assertThat(call("transfer_room(10, 1, 2)")).isEqualTo("muted role role");
    assertThat(call("transfer_room(10, 2, 1)")).isEqualTo("role role");
    statement.execute("UPDATE room_member SET role = 'owner'");
    assertThat(call("transfer_room(10, 1, 2)")).isEqualTo("role");
  }

  @Test
  void onlyWhatDiffersOfSettingsIsChanged() throws SQLException {
    room("group", "owner", 3, null, false);

    assertThat(call("change_room(10, 1, 'name', 'name', '', 'all', 0, 0, 0, NULL)"))
        .isEqualTo("nothing");
    assertThat(call("change_room(10, 1, 'name', 'name', 'd', NULL, NULL, 5, NULL, NULL)"))
        .isEqualTo("changed");
    assertThat(one("SELECT data FROM room_change"))
        .isEqualTo("{\"settings\": {\"description\": \"d\", \"max_members\": 5}}");
    assertThat(one("SELECT data FROM room_audit"))
        .isEqualTo("{\"settings\": {\"description\": \"d\", \"max_members\": 5}}");
    assertThat(call("change_room(10, 1, NULL, NULL, '', NULL, 7, 0, NULL, NULL)"))
        .isEqualTo("changed");
    assertThat(one("SELECT description IS NULL AND max_members IS NULL FROM room")).isEqualTo("t");
  }

  @Test
  void withACapacityItIsToldWhoMayRead() throws SQLException {
    room("group", "owner", 3, null, false);
    String change = "change_room(10, 1, NULL, NULL, NULL, NULL, NULL, NULL, %s)";
    String told = "SELECT data -> 'settings' FROM room_change ORDER BY rev DESC LIMIT 1";

    assertThat(call(change.formatted("0, false"))).isEqualTo("nothing");
    assertThat(call(change.formatted("5, NULL"))).isEqualTo("changed");
    assertThat(one(told)).isEqualTo("{\"capacity\": 5, \"read_outside\": false}");
    assertThat(one("SELECT capped AND inside_only FROM room_position")).isEqualTo("t");
    assertThat(call(change.formatted("4, true"))).isEqualTo("changed");
    assertThat(one(told)).isEqualTo("{\"capacity\": 4, \"read_outside\": true}");
    assertThat(one("SELECT capped AND NOT inside_only FROM room_position")).isEqualTo("t");
    assertThat(call(change.formatted("0, NULL"))).isEqualTo("changed");
    assertThat(one(told)).isEqualTo("{\"capacity\": 0}");
    assertThat(one("SELECT capped OR inside_only FROM room_position")).isEqualTo("f");
  }
}
