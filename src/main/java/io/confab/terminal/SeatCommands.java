package io.confab.terminal;

import io.confab.client.ConfabApi;
import io.confab.client.RoomSeats;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatOffer;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.client.RoomSignal.Standing;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Who is inside a room with a capacity, and who waits: shown, and changed by those who look after
/// the room. Blocks while it asks the server.
final class SeatCommands {
  private final ConfabApi api;
  private final Names names;
  private final Screen screen;

  SeatCommands(ConfabApi api, Names names, Screen screen) {
    this.api = api;
    this.names = names;
    this.screen = screen;
  }

  /// The numbers, and as many names as the account may know.
  void list(RoomId room) {
    RoomSeats.Numbers numbers = api.seats(room).numbers().await();
    List<AccountId> inside = Optional.ofNullable(numbers.accounts()).orElse(List.of());
    List<AccountId> line = Optional.ofNullable(numbers.waitingList()).orElse(List.of());
    names.learn(Stream.concat(shown(inside), shown(line)).toList());
    screen.line(
        "* inside: %d of %d, waiting: %d"
            .formatted(numbers.inside(), numbers.capacity(), numbers.waiting()));
    shown(inside).forEach(who -> screen.line("  inside     " + name(who)));
    IntStream.range(0, (int) shown(line).count())
        .forEach(i -> screen.line("  place %-4d %s".formatted(i + 1, name(line.get(i)))));
  }

  private static Stream<AccountId> shown(List<AccountId> all) {
    return all.stream().limit(Lists.MOST_MEMBERS_SHOWN);
  }

  private String name(AccountId account) {
    return Plain.line(names.of(account));
  }

  /// @param seats how many may be inside at once; 0: there is no inside
  void capacity(RoomId room, String seats) {
    Long now = api.keeping(room).change("capacity", seats).await().capacity();
    screen.line(
        now == null || now == 0
            ? "* Everybody is inside: this room has no capacity."
            : "* So many may be inside at once now: %d. /enter takes a seat.".formatted(now));
  }

  /// Puts a member at the head of the line.
  ///
  /// @return what has become of them
  String letIn(RoomId room, AccountId account) {
    Standing standing = api.seats(room).letIn(account).await();
    return switch (standing) {
      case SeatInside _ -> "is inside";
      case SeatWaiting waiting -> "waits at place %d".formatted(waiting.position());
      case SeatOffer _ -> "is offered a seat";
    };
  }
}
