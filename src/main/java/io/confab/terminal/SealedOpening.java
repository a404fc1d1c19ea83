package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Screen;
import java.util.List;
import java.util.Optional;

/// What is done when a sealed room comes to the screen. Blocks while it reads what is kept.
final class SealedOpening {
  /// So many lines are known not to be new.
  private static final int MOST = 200;

  private final SealedAccess sealed;
  private final Screen screen;
  private final SealedNotices notices;
  private final SealedStates states;
  private final SealedStatus status;

  SealedOpening(
      SealedAccess sealed,
      Screen screen,
      SealedNotices notices,
      SealedStates states,
      SealedStatus status) {
    this.sealed = sealed;
    this.screen = screen;
    this.notices = notices;
    this.states = states;
    this.status = status;
  }

  /// What is known of a room. What was sealed once stays so: a server that says something else
  /// wants to read.
  ///
  /// @param told by the server; empty: it is not sealed
  SealedPage page(RoomId room, Optional<RoomSeal> told) {
    Optional<RoomSeal> known = known(room);
    if (told.isEmpty() && known.isPresent()) {
      screen.line("⚠ the server says that this room is not sealed; it is, and stays so");
    }
    Optional<RoomSeal> seal =
        told.map(now -> known.map(before -> now.since(before.from())).orElse(now)).or(() -> known);
    return new SealedPage(seal.orElse(null), seal.isEmpty() ? List.of() : lines(room));
  }

  private Optional<RoomSeal> known(RoomId room) {
    try {
      return sealed.seal(room).await().map(RoomSeal::of);
    } catch (ApiException _) {
      return Optional.empty(); // the state says why
    }
  }

  /// The last that are kept.
  List<SealedLine> lines(RoomId room) {
    try {
      return sealed.lines(room, null, MOST).await();
    } catch (ApiException _) {
      return List.of(); // the state says why
    }
  }

  /// It comes to the screen: what became of the own lines is asked.
  ///
  /// @param own lines that come to the screen
  /// @param next behind all that was said
  void open(RoomId room, RoomSeal seal, List<SealedLine> own, Seq next) {
    if (seal.isKnown()) {
      sealed.sealed(room, seal.known());
    }
    states.opened(room, own, next);
  }

  /// It is on the screen.
  void opened(RoomId room) {
    notices.tellAbsence();
    status.opened(room);
  }

  /// Older lines come to the screen of a sealed room: what became of the own ones is asked.
  void came(List<SealedLine> own) {
    if (!own.isEmpty()) {
      own.forEach(states::said);
      states.follow();
    }
  }

  /// Whether this sealed room is on the screen.
  boolean isOpen(RoomId room) {
    return status.text(room).isPresent();
  }

  /// Others are in the room: whether all of them are believed is asked anew.
  void membersChanged() {
    status.refresh();
  }

  /// Another room is on the screen, which is not sealed.
  void closed() {
    status.closed();
    states.closed();
  }
}
