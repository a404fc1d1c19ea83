package io.confab.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.contract.Contract;
import io.confab.contract.Operation;
import io.confab.protocol.ErrorCode;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The matrix is whole: nothing that can be asked of a server is without a row, and no row is
/// about nothing.
@Timeout(30)
class AccessMatrixTest {
  /// Frames that name no room.
  private static final Set<String> OF_NO_ROOM =
      Set.of(
          "hello",
          "token",
          "presence.set",
          "ping",
          "bye",
          "queue.open",
          "queue.ack",
          "queue.reject");

  private static final Set<String> LISTS = Set.of("listRooms", "findChannels");

  /// Rights that are asked for after another one, so that an archived room is met before.
  private static final Set<RoomRight> ASKED_WITH_ANOTHER =
      Set.of(RoomRight.EDIT_ANY_MESSAGE, RoomRight.DELETE_ANY_MESSAGE, RoomRight.CHANGE_ROLES);

  private final AccessMatrix matrix = AccessMatrix.read();

  private static Set<String> frames() {
    return Contract.FRAMES.client().keySet();
  }

  @Test
  void everyOperationHasARow() {
    Set<String> operations =
        Stream.concat(
                Contract.HTTP.operations().stream().map(Operation::id),
                frames().stream().map(type -> Row.SOCKET + type))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(matrix.rows().stream().map(Row::operation).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(operations);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfRoomHasARowForEveryOperationOfARoom(Place place) {
    Stream<String> calls =
        Contract.HTTP.operations().stream()
            .filter(
                operation ->
                    operation.path().startsWith("/v1/rooms/{room_id}")
                        || operation.path().startsWith("/v1/invites/")
                        || operation.path().startsWith("/v1/me/invitations/")
                        || LISTS.contains(operation.id()))
            .map(Operation::id);
    Stream<String> messages =
        frames().stream().filter(type -> !OF_NO_ROOM.contains(type)).map(t -> Row.SOCKET + t);
    Set<String> rooms = Stream.concat(calls, messages).collect(Collectors.toSet());
    Set<String> rows = matrix.rows(place).stream().map(Row::operation).collect(Collectors.toSet());

    if (place.isRoom()) {
      assertThat(rows).containsExactlyInAnyOrderElementsOf(rooms);
    } else {
      assertThat(rows).isNotEmpty().doesNotContainAnyElementsOf(rooms);
    }
  }

  @Test
  void everyRowIsTriedAndNothingElse() {
    assertThat(new Attempts().names())
        .isEqualTo(
            matrix.rows().stream().map(Row::action).collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void noRowIsThereTwice() {
    assertThat(matrix.rows().stream().map(Row::toString)).doesNotHaveDuplicates();
  }

  /// By which row a right is asked for in an open room.
  private static String row(RoomRight right) {
    return switch (right) {
      case SEE_ROOM -> "getRoom";
      case READ -> "readHistory";
      case SEE_MEMBERS -> "listMembers";
      case SEND -> "sendMessage";
      case EDIT_OWN_MESSAGE -> "editMessage own";
      case EDIT_ANY_MESSAGE -> "editMessage another's";
      case DELETE_OWN_MESSAGE -> "deleteMessage own";
      case DELETE_ANY_MESSAGE -> "deleteMessage another's";
      case JOIN -> "join";
      case JOIN_BY_INVITE -> "joinByInvite";
      case LEAVE -> "removeMember me";
      case ADD_MEMBER -> "putMember a new one";
      case INVITE -> "makeInvite";
      case SEE_INVITES -> "listInvites";
      case CHANGE_SETTINGS -> "changeRoom";
      case SEAL -> "changeRoom seal";
      case SET_EXPIRY -> "changeRoom expiry";
      case KICK -> "removeMember a member";
      case BAN -> "ban a member";
      case MUTE -> "mute a member";
      case SEE_BANS -> "listBans";
      case ACT_ON_ADMIN -> "removeMember an admin";
      case ACT_ON_OWNER -> "removeMember an owner";
      case CHANGE_ROLES -> "putMember a member as admin";
      case TRANSFER -> "transferRoom";
      case ARCHIVE -> "archiveRoom";
      case READ_AUDIT -> "readAudit";
    };
  }

  /// The table by which the program decides, and which docs/protocol.md shows, says the same.
  @ParameterizedTest
  @EnumSource
  void theTableOfRightsSaysTheSame(RoomRight right) {
    Who newcomer = right == RoomRight.JOIN_BY_INVITE ? Who.INVITED : Who.STRANGER;
    Map<RoomRelation, Verdict> cells = new EnumMap<>(RoomRelation.class);
    Row group = matrix.row(Place.GROUP, row(right));
    cells.put(RoomRelation.OWNER, group.cell(Who.OWNER));
    cells.put(RoomRelation.ADMIN, group.cell(Who.ADMIN));
    cells.put(RoomRelation.MEMBER, group.cell(Who.MEMBER));
    cells.put(RoomRelation.STRANGER, group.cell(newcomer));
    cells.put(RoomRelation.BANNED, group.cell(Who.BANNED));
    cells.put(RoomRelation.VISITOR, matrix.row(Place.CHANNEL, row(right)).cell(newcomer));
    cells.forEach(
        (standing, cell) ->
            assertThat(cell)
                .as("%s of %s", right, standing)
                .isEqualTo(verdict(right.refused(standing, false))));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"JOIN_BY_INVITE", "ACT_ON_ADMIN", "ACT_ON_OWNER"})
  void theTableOfRightsSaysTheSameOfDirectAndArchivedRooms(RoomRight right) {
    assertThat(matrix.row(Place.DIRECT, row(right)).cell(Who.MEMBER))
        .isEqualTo(verdict(right.refused(RoomRelation.PARTNER, false)));
    if (!ASKED_WITH_ANOTHER.contains(right)) {
      for (Who who : List.of(Who.MEMBER, Who.ADMIN, Who.OWNER)) {
        assertThat(matrix.row(Place.ARCHIVED_GROUP, row(right)).cell(who))
            .as("%s of %s", right, who)
            .isEqualTo(verdict(right.refused(RoomRelation.valueOf(who.name()), true)));
      }
    }
  }

  private static Verdict verdict(Optional<ErrorCode> refused) {
    return refused.map(code -> Verdict.valueOf(code.name())).orElse(Verdict.DONE);
  }
}
