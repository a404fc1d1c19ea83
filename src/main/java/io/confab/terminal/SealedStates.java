package io.confab.terminal;

import io.confab.client.RoomSignal;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.Fate;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What became of the newest own lines of the sealed room that is open. For the thread of a chat.
final class SealedStates {
  private static final int MOST = 100;

  private final SealedAccess sealed;
  private final Receipts receipts;
  private final ChatQueue queue;
  private final Screen screen;
  private final Function<AccountId, String> names;
  private final NavigableSet<Seq> own = new TreeSet<>();
  private final Set<String> told = new HashSet<>();
  private @Nullable RoomId room;

  /// @param names safe to print
  SealedStates(
      SealedAccess sealed,
      Receipts receipts,
      ChatQueue queue,
      Screen screen,
      Function<AccountId, String> names) {
    this.sealed = sealed;
    this.receipts = receipts;
    this.queue = queue;
    this.screen = screen;
    this.names = names;
  }

  /// @param lines one's own among those on the screen
  /// @param next behind all that was said
  void opened(RoomId opened, List<SealedLine> lines, Seq next) {
    room = opened;
    told.clear();
    own.clear();
    lines.forEach(line -> add(line.seq()));
    Seq from = own.isEmpty() ? next : own.first();
    sealed.follow(opened, from).onSuccess(_ -> queue.update(() -> ask(opened)));
  }

  /// One's own line is stored.
  void said(SealedLine line) {
    if (line.roomId().equals(room)) {
      add(line.seq());
    }
  }

  private void add(Seq seq) {
    own.add(seq);
    if (own.size() > MOST) {
      own.pollFirst();
    }
  }

  /// Something became known of a room.
  void ask(RoomId of) {
    if (of.equals(room)) {
      List.copyOf(own)
          .forEach(
              seq ->
                  sealed.fate(of, seq).onSuccess(fate -> queue.update(() -> take(of, seq, fate))));
    }
  }

  private void take(RoomId of, Seq seq, Fate fate) {
    if (!fate.delivered().isEmpty()) {
      receipts.arrived(of, seq);
    }
    if (!fate.read().isEmpty()) {
      receipts.read(new RoomSignal.Read(of, seq));
    }
    if (!of.equals(room)) {
      return;
    }
    if (!screen.isTerminal()) {
      receipts.news(of).ifPresent(text -> screen.line("* " + text));
    }
    fate.failed().forEach((who, reason) -> tell(seq, who, reason));
  }

  private void tell(Seq seq, AccountId who, String reason) {
    if (told.add(seq + " " + who)) {
      screen.line("✗ #%s is not at %s (%s)".formatted(seq, names.apply(who), Plain.line(reason)));
    }
  }
}
