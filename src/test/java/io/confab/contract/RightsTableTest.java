package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.MessageChange;
import io.confab.message.MessageCommand;
import io.confab.message.WriteCommand;
import io.confab.protocol.ErrorCode;
import io.confab.room.Restriction;
import io.confab.room.RoomCommand;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The table of rights in docs/protocol.md is [RoomRight], cell by cell, and every operation about
/// a room has a row. `SqlRightsIT` holds the rights that SQL decides equal to [RoomRight].
@Timeout(60)
class RightsTableTest {
  /// Answered alike to everybody.
  private static final String STOP = "typing.stop";

  /// Who may what with seats is told where they are; anybody may give up what is not theirs.
  private static final Set<String> OF_SEATS =
      Set.of("readSeats", "enterRoom", "letIn", "exitRoom", "room.enter", "room.exit");

  private static final Set<String> JOINING = Set.of("joinByInvite", "acceptInvitation");

  private static final Pattern NAME = Pattern.compile("`([A-Za-z_.]+)`");

  /// Commands about an account, even where they name a room.
  private static final Set<Class<?>> OF_NO_ROOM =
      Set.of(
          RoomCommand.OfRoom.class,
          RoomCommand.CreateRoom.class,
          RoomCommand.ListRooms.class,
          RoomCommand.FindChannels.class,
          RoomCommand.ListInvitations.class,
          RoomCommand.ReadMemberships.class,
          RoomCommand.BeginSession.class);

  private final List<List<String>> table = new ProtocolText().table("Roles and rights");

  private List<String> row(RoomRight right) {
    String name = "`" + right.name().toLowerCase(Locale.ROOT).replace('_', ' ') + "`";
    return table.stream().filter(row -> row.getFirst().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theTableHasOneRowForEachRight() {
    assertThat(table).hasSize(RoomRight.values().length);
  }

  @ParameterizedTest
  @EnumSource
  void eachCellIsWhatIsDecided(RoomRight right) {
    List<String> row = row(right);
    for (RoomRelation relation : RoomRelation.values()) {
      assertThat(verdict(right, relation, false))
          .as("%s of %s", right, relation)
          .isEqualTo(row.get(2 + List.of(RoomRelation.values()).indexOf(relation)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anArchivedRoomHasWhatTheTableSays(RoomRight right) {
    String cell = row(right).get(2 + RoomRelation.values().length);
    for (RoomRelation relation : RoomRelation.values()) {
      String open = verdict(right, relation, false);
      assertThat(verdict(right, relation, true))
          .as("%s of %s", right, relation)
          .isEqualTo(open.equals("yes") ? cell : open);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatKeepsOneFromItIsWhatTheTableSays(RoomRight right) {
    assertThat(names(row(right).get(3 + RoomRelation.values().length)))
        .isEqualTo(
            right.restrictions().stream()
                .map(Restriction::code)
                .map(ErrorCode::wire)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static String verdict(RoomRight right, RoomRelation relation, boolean archived) {
    return right.refused(relation, archived).map(ErrorCode::wire).orElse("yes");
  }

  @Test
  void everyCallAndFrameAboutARoomHasARow() {
    Set<String> named =
        table.stream()
            .flatMap(row -> names(row.get(1)).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    Stream<String> calls =
        Contract.HTTP.operations().stream()
            .filter(o -> o.path().startsWith("/v1/rooms/") || JOINING.contains(o.id()))
            .map(Operation::id)
            .filter(name -> !OF_SEATS.contains(name));
    Stream<String> frames =
        Contract.FRAMES.client().entrySet().stream()
            .filter(frame -> !frame.getValue().source().findValues("room_id").isEmpty())
            .map(Map.Entry::getKey)
            .filter(name -> !name.equals(STOP) && !OF_SEATS.contains(name));

    assertThat(named)
        .isEqualTo(Stream.concat(calls, frames).collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<String> names(String cell) {
    return NAME.matcher(cell)
        .results()
        .map(m -> m.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// A command of a room does not compile without a right.
  @Test
  void everyCommandAboutARoomIsOneOfARoom() {
    Set<Class<?>> others =
        new java.util.HashSet<>(Set.of(RoomCommand.class.getPermittedSubclasses()));
    others.removeAll(OF_NO_ROOM);

    assertThat(others).containsExactly(RoomCommand.JoinByInvite.class);
  }

  @Test
  void everyCommandAboutMessagesHasARow() {
    assertThat(
            Stream.<Class<?>>of(MessageCommand.class, WriteCommand.class)
                .flatMap(family -> Stream.of(family.getPermittedSubclasses()))
                .map(Class::getSimpleName))
        .hasSameElementsAs(
            Set.of("Send", "Put", "Change", "ReadVersions", "ReadHistory", "ReadLog", "CheckSend"));
    assertThat(Stream.of(MessageChange.class.getPermittedSubclasses()).map(RightsTableTest::right))
        .containsExactlyInAnyOrder(RoomRight.EDIT_OWN_MESSAGE, RoomRight.DELETE_OWN_MESSAGE);
  }

  private static RoomRight right(Class<?> change) {
    return RoomRight.valueOf(
        change.getSimpleName().equals("Edit") ? "EDIT_OWN_MESSAGE" : "DELETE_OWN_MESSAGE");
  }
}
