package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.Fate;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
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
  private Seq next = Seq.ZERO;
  private boolean asking;
  private boolean stale;

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

  /// Blocks while it asks what became of the lines, so that they are printed with it.
  ///
  /// @param lines one's own among those that come to the screen
  /// @param behind all that was said
  void opened(RoomId opened, List<SealedLine> lines, Seq behind) {
    room = opened;
    next = behind;
    told.clear();
    own.clear();
    lines.forEach(line -> add(line.seq()));
    try {
      sealed.follow(opened, first()).await();
      fates(opened).await().forEach(one -> learn(opened, one));
      queue.update(() -> ask(opened));
    } catch (ApiException _) {
      // it is asked anew at the next connection
    }
  }

  private Seq first() {
    return own.isEmpty() ? next : own.first();
  }

  /// Another room is, which is not sealed.
  void closed() {
    room = null;
  }

  /// Asks anew: what became known while nothing could be told, nobody tells.
  void follow() {
    RoomId open = room;
    if (open != null) {
      sealed.follow(open, first()).onSuccess(_ -> queue.update(() -> ask(open)));
    }
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

  /// Something became known of a room. What becomes known while it is asked is asked for once more
  /// afterwards, so that nobody else decides how often.
  void ask(RoomId of) {
    if (!of.equals(room)) {
      return;
    }
    if (asking) {
      stale = true;
      return;
    }
    asking = true;
    fates(of).onComplete(answers -> queue.add(() -> answered(of, answers)));
  }

  private Future<List<Told>> fates(RoomId of) {
    List<Future<Told>> all =
        own.stream().map(seq -> sealed.fate(of, seq).map(fate -> new Told(seq, fate))).toList();
    return Future.all(all).map(answers -> answers.<Told>list());
  }

  private record Told(Seq seq, Fate fate) {}

  private void answered(RoomId of, AsyncResult<List<Told>> answers) {
    asking = false;
    if (answers.succeeded()) {
      take(of, answers.result());
    }
    if (stale) {
      stale = false;
      Optional.ofNullable(room).ifPresent(this::ask);
    }
  }

  private void take(RoomId of, List<Told> all) {
    all.forEach(one -> learn(of, one));
    if (!of.equals(room)) {
      return;
    }
    if (!screen.isTerminal()) {
      receipts.news(of).ifPresent(text -> screen.line("* " + text));
    }
    all.forEach(one -> one.fate().failed().forEach((who, why) -> tell(one.seq(), who, why)));
  }

  private void learn(RoomId of, Told one) {
    receipts.sealed(of, one.seq(), state(one.fate()));
  }

  private static Receipts.State state(Fate fate) {
    if (!fate.read().isEmpty()) {
      return Receipts.State.READ;
    }
    return fate.delivered().isEmpty() ? Receipts.State.SENT : Receipts.State.DELIVERED;
  }

  private void tell(Seq seq, AccountId who, String reason) {
    if (told.add(seq + " " + who)) {
      screen.line("✗ #%s did not reach %s: %s".formatted(seq, names.apply(who), words(reason)));
    }
  }

  private static String words(String reason) {
    return switch (reason) {
      case "full" -> "too much waits for them";
      case "expired" -> "its time was over before they came";
      case "removed" -> "their device is gone";
      case "undecryptable" -> "they could not open it";
      default -> Plain.line(reason);
    };
  }
}
