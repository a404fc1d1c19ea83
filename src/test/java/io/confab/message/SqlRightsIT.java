package io.confab.message;

import static io.confab.room.Restriction.BLOCKED;
import static io.confab.room.Restriction.MUTED;
import static io.confab.room.Restriction.NO_SEAT;
import static io.confab.room.Restriction.SLOW_MODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.room.Restriction;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The functions of the database decide about sends, edits and deletions as [RoomRight] says: for
/// every relation, in open and in archived rooms, and under every restriction.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlRightsIT {
  private static final long ROOM = 10;
  private static final long NEIGHBOUR = 9;
  private static final long CALLER = 1;
  private static final long OTHER = 2;
  private static final String EDIT =
      change("ARRAY[gen_random_uuid()], ARRAY[1], ARRAY['new'], NULL, NULL");
  private static final String DELETE =
      change("ARRAY[NULL::uuid], ARRAY[NULL::bigint], ARRAY[NULL::text], NULL, NULL");

  private TestDatabase database;

  private static String change(String content) {
    return "(change_messages(ARRAY[10], ARRAY[%d], ARRAY[1], " + content + "))";
  }

  /// What is tried, with the right that it needs.
  enum Request {
    SEND(RoomRight.SEND, send(List.of(ROOM))),
    SEND_IN_A_GROUP(RoomRight.SEND, send(List.of(NEIGHBOUR, ROOM))),
    EDIT_OWN(RoomRight.EDIT_OWN_MESSAGE, EDIT.formatted(CALLER) + ".outcome"),
    EDIT_ANY(RoomRight.EDIT_ANY_MESSAGE, EDIT.formatted(OTHER) + ".outcome"),
    DELETE_OWN(RoomRight.DELETE_OWN_MESSAGE, DELETE.formatted(CALLER) + ".outcome"),
    DELETE_ANY(RoomRight.DELETE_ANY_MESSAGE, DELETE.formatted(OTHER) + ".outcome");

    private final RoomRight right;
    private final String call;

    Request(RoomRight right, String call) {
      this.right = right;
      this.call = call;
    }

    /// Who may not edit any message is held back as one who edits an own one.
    Set<Restriction> restrictions() {
      return (this == EDIT_ANY ? RoomRight.EDIT_OWN_MESSAGE : right).restrictions();
    }
  }

  record Cell(
      Request request, RoomRelation relation, boolean archived, @Nullable Restriction under) {
    /// Whether somebody of that relation can be under that restriction at all.
    boolean isPossible() {
      boolean member = relation == RoomRelation.MEMBER;
      return under == null
          || (under == MUTED && (member || relation == RoomRelation.ADMIN))
          || (under == SLOW_MODE && relation != RoomRelation.PARTNER)
          || (under == BLOCKED && relation == RoomRelation.PARTNER)
          || (under == NO_SEAT && relation != RoomRelation.PARTNER);
    }

    /// Why it is refused, if it is: the table does not say which of several reasons is told.
    Set<String> reasons() {
      Set<String> reasons = new HashSet<>();
      request.right.refused(relation, false).map(ErrorCode::wire).ifPresent(reasons::add);
      if (RoomRight.SEE_MEMBERS.isOf(relation)) {
        if (archived) {
          reasons.add(ErrorCode.CONFLICT.wire());
        }
        if (under != null && request.restrictions().contains(under) && isHeldBack()) {
          reasons.add(under.code().wire());
        }
      }
      return reasons;
    }

    /// Slow mode holds back members alone.
    private boolean isHeldBack() {
      return under != SLOW_MODE || relation == RoomRelation.MEMBER;
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    List<Restriction> restrictions = new ArrayList<>(List.of(Restriction.values()));
    restrictions.add(null);
    for (Request request : Request.values()) {
      for (RoomRelation relation : RoomRelation.values()) {
        for (boolean archived : new boolean[] {false, true}) {
          for (Restriction under : restrictions) {
            cells.add(new Cell(request, relation, archived, under));
          }
        }
      }
    }
    return cells.stream().filter(Cell::isPossible).toList();
  }

  @BeforeAll
  void create() {
    database = TestDatabase.create();
    database.execute(
        "INSERT INTO account (account_id, handle, display_name)"
            + " VALUES (1, 'caller', 'Caller'), (2, 'other', 'Other')");
  }

  @AfterAll
  void drop() {
    database.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theDatabaseDecidesAsTheTableSays(Cell cell) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      room(statement, NEIGHBOUR, "group", false, null);
      member(statement, NEIGHBOUR, "member", null);
      room(statement, ROOM, type(cell.relation()), cell.archived(), cell.under());
      stand(statement, cell);
      try (var row = statement.executeQuery("SELECT " + cell.request().call)) {
        row.next();
        String outcome = row.getString(1);
        if (cell.reasons().isEmpty()) {
          assertThat(outcome).isEqualTo("stored");
        } else {
          assertThat(StoredRefusal.of(outcome, 0).code().wire()).isIn(cell.reasons());
        }
      }
    }
  }

  private static String type(RoomRelation relation) {
    return switch (relation) {
      case PARTNER -> "direct";
      case VISITOR -> "channel";
      case OWNER, ADMIN, MEMBER, STRANGER, BANNED -> "group";
    };
  }

  /// A room with two messages: the first is the caller's, the second the other's.
  private static void room(
      Statement statement, long room, String type, boolean archived, @Nullable Restriction under)
      throws SQLException {
    boolean direct = type.equals("direct");
    statement.execute(
        """
        INSERT INTO room (room_id, type, name_key, direct_low, direct_high, member_count)
        VALUES (%d, '%s', %s, %s, %s, 2);
        INSERT INTO room_position (room_id, last_seq, last_rev, archived, slow_mode_s, blocked, capped)
        VALUES (%1$d, 2, 2, %s, %d, %s, %s);
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
        SELECT %1$d, n, n, n, n, now(), n, 'text', 'words' FROM generate_series(1, 2) AS n;
        """
            .formatted(
                room,
                type,
                type.equals("channel") ? "'name'" : "NULL",
                direct ? 1 : null,
                direct ? 2 : null,
                archived,
                under == SLOW_MODE ? 3_600 : 0,
                under == BLOCKED,
                under == NO_SEAT));
  }

  private static void stand(Statement statement, Cell cell) throws SQLException {
    switch (cell.relation()) {
      case OWNER -> member(statement, ROOM, "owner", cell.under());
      case ADMIN -> member(statement, ROOM, "admin", cell.under());
      case MEMBER, PARTNER -> member(statement, ROOM, "member", cell.under());
      case VISITOR, STRANGER -> {}
      case BANNED ->
          statement.execute(
              "INSERT INTO room_ban (room_id, account_id, banned_by) VALUES (10, 1, 2)");
    }
  }

  private static void member(
      Statement statement, long room, String role, @Nullable Restriction under)
      throws SQLException {
    statement.execute(
        """
        INSERT INTO room_member (room_id, account_id, role, muted_until, last_sent_at)
        VALUES (%d, 1, '%s', %s, %s)
        """
            .formatted(
                room,
                role,
                under == MUTED ? "now() + interval '1 hour'" : "NULL",
                under == SLOW_MODE ? "clock_timestamp()" : "NULL"));
  }

  /// One message of the caller to each room; what became of the last.
  ///
  /// @param rooms ascending
  private static String send(List<Long> rooms) {
    int size = rooms.size();
    if (size == 1) {
      return """
      (append_message(%d, 1, 'c', gen_random_uuid(), 1, 'text', 'words', NULL, NULL, NULL, false)).outcome\
      """
          .formatted(rooms.getFirst());
    }
    return """
    coalesce((append_messages(ARRAY%s::bigint[], array_fill(1::bigint, ARRAY[%d]),
     (ARRAY[1, 2])[1:%2$d], array_fill(1::bigint, ARRAY[%2$d]), array_fill(1::bigint, ARRAY[%2$d]),
     array_fill('c'::text, ARRAY[%2$d]), (ARRAY[gen_random_uuid(), gen_random_uuid()])[1:%2$d],
     array_fill(1::bigint, ARRAY[%2$d]), array_fill('text'::text, ARRAY[%2$d]),
     array_fill('words'::text, ARRAY[%2$d]), array_fill(NULL::bigint, ARRAY[%2$d]),
     array_fill(NULL::text, ARRAY[%2$d]), NULL, NULL)).outcomes[%2$d], 'stored')\
    """
        .formatted(rooms, size);
  }
}
