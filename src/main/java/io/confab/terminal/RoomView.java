package io.confab.terminal;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Screen;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The room on the screen, and how much of it was shown: an update that a page of history contained
/// is not shown again.
final class RoomView {
  /// So many lines of a sealed room are remembered to be on the screen.
  private static final int MOST_LINES = 1_000;

  private static final String NEWEST = "—— the newest ——";

  private final Transcript transcript;
  private final Consumer<Collection<AccountId>> learn;
  private final Screen screen;
  private @Nullable RoomId room;
  private @Nullable Epoch epoch;
  private Rev shown = Rev.ZERO;
  private Seq oldest = Seq.ZERO;
  private Seq newest = Seq.ZERO;
  private boolean closed;
  private @Nullable RoomSeal seal;
  private final Set<String> lines = new LinkedHashSet<>();

  /// @param learn receives the accounts whose names are printed next
  RoomView(Transcript transcript, Consumer<Collection<AccountId>> learn, Screen screen) {
    this.transcript = transcript;
    this.learn = learn;
    this.screen = screen;
  }

  /// Opens another room without showing anything of it.
  void open(ChatRoom opened) {
    room = opened.roomId();
    oldest = Seq.ZERO;
    newest = Seq.ZERO;
    closed = false;
    lines.clear();
    seal(RoomSeal.of(opened).orElse(null));
    transcript.beginAnew();
  }

  private void seal(@Nullable RoomSeal now) {
    seal = now;
    transcript.sealed(now);
  }

  /// The room is sealed; its update may come later, or come before its page.
  void sealed(RoomSeal now) {
    seal(seal == null ? now : now.since(seal.from()));
  }

  /// How the room is sealed; empty: it is not.
  Optional<RoomSeal> seal() {
    return Optional.ofNullable(seal);
  }

  boolean isOwn(SealedLine line) {
    return transcript.isSelf(line.senderId());
  }

  /// Opens another room which cannot be read now; nothing of it is shown until it is opened again.
  void openClosed(ChatRoom opened, @Nullable RoomSeal now) {
    open(opened);
    seal(now);
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /// Shows another room: the last messages of its newest page, with a line where unread begins.
  void open(ChatRoom opened, HistoryPage page, int count) {
    open(opened, page, count, SealedPage.empty(opened));
  }

  /// Shows another room, and what the device keeps of it behind that.
  void open(ChatRoom opened, HistoryPage page, int count, SealedPage sealed) {
    open(opened);
    seal(sealed.seal());
    List<SealedLine> kept = sealed.lines();
    epoch = page.epoch();
    shown = page.rev();
    UnreadLine rest = page(page, Math.max(0, count - kept.size()), UnreadLine.of(opened));
    List<SealedLine> last = kept.subList(Math.max(0, kept.size() - count), kept.size());
    kept.forEach(this::mark);
    lines(last, rest);
  }

  boolean shows(RoomId other) {
    return other.equals(room);
  }

  /// The room; empty before one was opened.
  Optional<RoomId> room() {
    return Optional.ofNullable(room);
  }

  Rev shown() {
    return shown;
  }

  /// The newest message on the screen.
  Seq newest() {
    return newest;
  }

  /// The oldest message on the screen.
  Optional<Seq> oldest() {
    return Optional.of(oldest).filter(seq -> !seq.equals(Seq.ZERO));
  }

  /// What comes before all that was shown.
  HistoryQuery before() {
    return oldest.equals(Seq.ZERO) ? HistoryQuery.newest() : HistoryQuery.before(oldest);
  }

  /// Prints older messages below what is there: a terminal has no other place.
  void older(HistoryPage page) {
    if (page.messages().isEmpty()) {
      screen.line("* there is nothing older");
      return;
    }
    transcript.beginAnew();
    messages(page.messages(), UnreadLine.none());
    screen.line(NEWEST);
    transcript.beginAnew();
    oldest = page.messages().getFirst().seq();
  }

  /// The same for lines that were sealed.
  void olderLines(List<SealedLine> older) {
    transcript.beginAnew();
    learn.accept(older.stream().map(SealedLine::senderId).toList());
    older.forEach(this::mark);
    older.forEach(line -> transcript.line(line).forEach(screen::line));
    screen.line(NEWEST);
    transcript.beginAnew();
    oldest = older.getFirst().seq();
  }

  /// Shows a line that was sealed, unless it was shown.
  void show(SealedLine line) {
    if (mark(line)) {
      lines(List.of(line), UnreadLine.none());
    }
  }

  /// Lines of the past are kept now: shows the last of those that were not shown.
  ///
  /// @return these
  List<SealedLine> came(List<SealedLine> kept, int count) {
    List<SealedLine> unseen = kept.stream().filter(this::mark).toList();
    List<SealedLine> last = unseen.subList(Math.max(0, unseen.size() - count), unseen.size());
    if (last.isEmpty()) {
      return last;
    }
    transcript.beginAnew();
    screen.line("* What was said before is here now; /history shows what is older.");
    lines(last, UnreadLine.none());
    screen.line(NEWEST);
    transcript.beginAnew();
    Seq first = last.getFirst().seq();
    if (unseen.size() > count || first.compareTo(oldest) < 0) {
      oldest = first; // what is between it and what was the oldest is not here
    }
    return last;
  }

  boolean isNew(SealedLine line) {
    return !lines.contains(key(line));
  }

  private static String key(SealedLine line) {
    return line.seq() + " " + line.senderId() + " " + line.clientId().value();
  }

  /// Whether it was not shown yet.
  private boolean mark(SealedLine line) {
    boolean unseen = lines.add(key(line));
    if (lines.size() > MOST_LINES) {
      Iterator<String> first = lines.iterator();
      first.next();
      first.remove();
    }
    return unseen;
  }

  private void lines(List<SealedLine> all, UnreadLine unread) {
    learn.accept(all.stream().map(SealedLine::senderId).toList());
    UnreadLine rest = unread;
    for (SealedLine line : all) {
      if (rest.standsBefore(line.seq()) && !transcript.isSelf(line.senderId())) {
        screen.line(rest.text());
        rest = UnreadLine.none();
      }
      transcript.line(line).forEach(screen::line);
      said(Seq.later(line.seq(), newest));
    }
  }

  void show(RoomUpdate update) {
    if (update instanceof RoomUpdate.RoomSealed sealed) {
      sealed(RoomSeal.of(sealed));
    }
    if (closed) {
      return;
    }
    if (update instanceof RoomUpdate.Reset reset) {
      reset(reset);
      return;
    }
    Facts facts = facts(update);
    if (facts.rev().isAfter(shown)) {
      shown = facts.rev();
      learn.accept(facts.people());
      transcript.update(update).forEach(screen::line);
      if (update instanceof RoomUpdate.Said said) {
        said(said.message().seq());
      }
    }
  }

  private void said(Seq seq) {
    if (oldest.equals(Seq.ZERO)) {
      oldest = seq;
    }
    newest = seq;
  }

  private void reset(RoomUpdate.Reset reset) {
    if (!reset.page().epoch().equals(epoch)) {
      beginEpoch(reset.page());
    }
    List<ChatMessage> unseen =
        reset.page().messages().stream().filter(m -> m.rev().isAfter(shown)).toList();
    if (reset.gap() && seal == null) {
      screen.line("* messages may be missing here; /history shows them");
    }
    messages(unseen, UnreadLine.none());
    raise(reset.page());
  }

  /// The room was restored, and its numbers began lower again: none of them was shown.
  private void beginEpoch(HistoryPage page) {
    epoch = page.epoch();
    shown = Rev.ZERO;
    newest = Seq.ZERO;
    oldest = page.messages().isEmpty() ? Seq.ZERO : page.messages().getFirst().seq();
  }

  /// @return the line, unless it was printed
  private UnreadLine page(HistoryPage page, int count, UnreadLine unread) {
    List<ChatMessage> all = page.messages();
    List<ChatMessage> last = all.subList(Math.max(0, all.size() - count), all.size());
    oldest = last.isEmpty() ? Seq.ZERO : last.getFirst().seq();
    UnreadLine rest = messages(last, unread);
    raise(page);
    return rest;
  }

  private void raise(HistoryPage page) {
    if (!page.messages().isEmpty()) {
      newest = Seq.later(newest, page.messages().getLast().seq());
    }
    Stream.concat(Stream.of(page.rev()), page.messages().stream().map(ChatMessage::stateRev))
        .filter(rev -> rev.isAfter(shown))
        .forEach(rev -> shown = rev);
  }

  private UnreadLine messages(List<ChatMessage> messages, UnreadLine unread) {
    learn.accept(messages.stream().map(ChatMessage::senderId).toList());
    UnreadLine line = unread;
    for (ChatMessage message : messages) {
      if (line.standsBefore(message.seq()) && !transcript.isOwn(message)) {
        screen.line(line.text());
        line = UnreadLine.none();
      }
      transcript.message(message).forEach(screen::line);
    }
    return line;
  }

  /// @param people the accounts whose names are needed
  private record Facts(Rev rev, List<AccountId> people) {}

  private static Facts facts(RoomUpdate update) {
    return switch (update) {
      case RoomUpdate.Said said ->
          new Facts(said.message().rev(), List.of(said.message().senderId()));
      case RoomUpdate.Edited edited ->
          new Facts(edited.message().stateRev(), List.of(edited.message().senderId()));
      case RoomUpdate.Deleted deleted ->
          new Facts(deleted.change().rev(), List.of(deleted.deletedBy()));
      case RoomUpdate.MemberJoined joined ->
          new Facts(joined.change().rev(), List.of(joined.accountId()));
      case RoomUpdate.MemberLeft left -> new Facts(left.change().rev(), List.of(left.accountId()));
      case RoomUpdate.RoomSealed sealed ->
          new Facts(sealed.change().rev(), List.of(sealed.change().actorId()));
      case RoomUpdate.OfChange other -> new Facts(other.change().rev(), List.of());
      case RoomUpdate.Reset reset -> new Facts(reset.page().rev(), List.of());
    };
  }
}
