package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.CountChanges;
import io.confab.account.AccountCommand.CreateAccounts;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.outside.BearerCommand;
import io.confab.config.NodeRole;
import io.confab.feed.EventCommand;
import io.confab.feed.EventCommand.ReadPositions;
import io.confab.key.KeyCommand;
import io.confab.marker.MarkerCommand;
import io.confab.message.MessageCommand;
import io.confab.message.WriteCommand;
import io.confab.presence.PresenceCommand;
import io.confab.presence.PresenceCommand.Register;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeCommand;
import io.confab.queue.QueueCommand;
import io.confab.room.RoomCommand;
import io.confab.seat.SeatCommand;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Where commands go: each to the address of its family, and to the lane of its room.
class CommandsTest {
  private static final Map<Class<?>, Address<?>> FAMILIES =
      Map.ofEntries(
          Map.entry(BearerCommand.class, BearerCommand.ADDRESS),
          Map.entry(AccountCommand.class, AccountCommand.ADDRESS),
          Map.entry(RoomCommand.class, RoomCommand.ADDRESS),
          Map.entry(MessageCommand.class, MessageCommand.ADDRESS),
          Map.entry(MarkerCommand.class, MarkerCommand.ADDRESS),
          Map.entry(KeyCommand.class, KeyCommand.ADDRESS),
          Map.entry(QueueCommand.class, QueueCommand.ADDRESS),
          Map.entry(EnvelopeCommand.class, EnvelopeCommand.ADDRESS),
          Map.entry(WriteCommand.class, WriteCommand.ADDRESS),
          Map.entry(EventCommand.class, EventCommand.ADDRESS),
          Map.entry(PresenceCommand.class, PresenceCommand.ADDRESS),
          Map.entry(SeatCommand.class, SeatCommand.ADDRESS));

  private static List<Class<?>> commands() {
    return MainRecords.assignableTo(Command.class);
  }

  @Test
  void everyFamilyHasAnAddressOfItsOwn() {
    assertThat(FAMILIES.values()).extracting(Address::name).doesNotHaveDuplicates();
    assertThat(commands().stream().map(CommandsTest::family).distinct())
        .containsExactlyInAnyOrderElementsOf(FAMILIES.keySet());
  }

  @Test
  void whatWritesOrReadsTheLogOfRoomsGoesToTheWriters() {
    assertThat(WriteCommand.ADDRESS.role()).isEqualTo(NodeRole.PERSISTENCE);
    assertThat(EventCommand.ADDRESS.role()).isEqualTo(NodeRole.PERSISTENCE);
    assertThat(PresenceCommand.ADDRESS.role()).isEqualTo(NodeRole.PRESENCE);
    assertThat(SeatCommand.ADDRESS.role()).isEqualTo(NodeRole.PRESENCE);
    assertThat(
            Stream.of(
                    BearerCommand.ADDRESS,
                    AccountCommand.ADDRESS,
                    RoomCommand.ADDRESS,
                    MessageCommand.ADDRESS,
                    MarkerCommand.ADDRESS,
                    KeyCommand.ADDRESS,
                    QueueCommand.ADDRESS,
                    EnvelopeCommand.ADDRESS)
                .map(Address::role))
        .containsOnly(NodeRole.ROUTING);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandGoesToTheAddressOfItsFamily(Class<?> type) {
    assertThat(made(type).address()).isSameAs(FAMILIES.get(family(type)));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandAboutOneRoomHasTheLaneOfTheRoom(Class<?> type) {
    Command<?> command = made(type);
    room(command).ifPresent(room -> assertThat(command.lane()).isEqualTo(Lane.of(room)));
  }

  @Test
  void aCommandAboutNothingIsNotMade() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ReadPositions(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new Register(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new FindEnded(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new CountChanges(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new CreateAccounts(List.of()));
  }

  @Test
  void mostCommandsAreAboutOneRoom() {
    assertThat(commands().stream().filter(type -> room(made(type)).isPresent()))
        .hasSizeGreaterThan(20);
  }

  private static Class<?> family(Class<?> command) {
    return FAMILIES.keySet().stream()
        .filter(family -> family.isAssignableFrom(command))
        .findFirst()
        .orElseThrow(() -> new AssertionError("of no family: " + command));
  }

  private static Command<?> made(Class<?> type) {
    return (Command<?>) new MadeValues(false).of(type);
  }

  /// The room that a command, or the one record that it carries, is about.
  private static Optional<RoomId> room(Record command) {
    List<Object> parts =
        Arrays.stream(command.getClass().getRecordComponents())
            .map(component -> part(command, component))
            .flatMap(Optional::stream)
            .toList();
    Optional<RoomId> own =
        parts.stream().filter(RoomId.class::isInstance).map(RoomId.class::cast).findFirst();
    return own.isPresent() || parts.size() != 1 || !(parts.getFirst() instanceof Record carried)
        ? own
        : room(carried);
  }

  private static Optional<RoomId> room(Command<?> command) {
    return room((Record) command);
  }

  private static Optional<Object> part(Record command, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return Optional.ofNullable(component.getAccessor().invoke(command));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot read " + component, e);
    }
  }
}
