package io.confab.client;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One room as a program sees it: every rev once, in order.
///
/// A rev that does not follow the last one shows a hole. Then events are held back, the missing
/// ones are read over HTTP, and the held ones follow. Where the server no longer has the missing
/// events, the newest page of history takes the place of what was shown.
final class RoomLog {
  private static final int MOST_HELD = 1_000;
  private static final long RETRY_MS = 1_000;

  private enum State {
    FOLLOWING,
    READING_EVENTS,
    /// The position is void until a page brings a new one.
    READING_HISTORY
  }

  private final int number;
  private final RoomId room;
  private final Consumer<Action> out;
  private final ShownMessages shown;
  private final Deque<RoomEvent> held = new ArrayDeque<>();
  private Epoch epoch;
  private Rev rev;
  private State state = State.FOLLOWING;
  private boolean gap;

  /// No page older than this may be used: events between the page and this rev would be lost.
  private Rev atLeast = Rev.ZERO;

  private boolean historyAsked;
  private boolean eventsAsked;
  private @Nullable Rev eventsAskedAfter;
  private OptionalLong retryAt = OptionalLong.empty();

  /// @param number identifies the reads of this log
  RoomLog(int number, RoomPosition start, Consumer<Action> out) {
    this.number = number;
    this.room = start.roomId();
    this.epoch = start.epoch();
    this.rev = start.rev();
    this.shown = new ShownMessages(start.seq());
    this.out = out;
  }

  int number() {
    return number;
  }

  RoomPosition position() {
    return new RoomPosition(room, epoch, shown.newest(), rev);
  }

  /// Whether a server can be asked for the events after the position.
  boolean isResumable() {
    return state != State.READING_HISTORY;
  }

  /// Begins the log anew with the newest page of history.
  ///
  /// @param gap whether something may have been shown before
  void readNewest(Epoch newEpoch, Rev from, boolean gap) {
    this.gap = this.gap || gap;
    held.clear();
    epoch = newEpoch;
    atLeast = from;
    state = State.READING_HISTORY;
    ask();
  }

  /// The server no longer has the events between the position and this one.
  void unrecovered(Epoch newEpoch, Rev from) {
    readNewest(newEpoch, from, true);
  }

  /// The connection is lost; the next one resumes from the position, if there is one.
  void lost() {
    held.clear();
    if (state == State.READING_EVENTS) {
      state = State.FOLLOWING;
    }
  }

  void event(RoomEvent event, long now) {
    if (!event.epoch().equals(epoch)) {
      unrecovered(event.epoch(), event.rev());
      return;
    }
    if (state == State.FOLLOWING) {
      follow(event, now);
    } else {
      hold(event);
    }
  }

  private void hold(RoomEvent event) {
    if (held.size() == MOST_HELD) {
      held.removeFirst(); // shows as a hole later, and is read
    }
    held.add(event);
  }

  private void follow(RoomEvent event, long now) {
    if (event.from().isAfter(rev.next())) {
      state = State.READING_EVENTS;
      hold(event);
      askUnlessInVain(now);
    } else if (event.rev().isAfter(rev)) {
      apply(event);
    }
  }

  private void apply(RoomEvent event) {
    rev = event.rev();
    event
        .update()
        .filter(update -> shown.take(update, rev))
        .ifPresent(update -> out.accept(new Action.Update(update)));
    shown.passed(rev);
  }

  /// The newest page of history has come.
  void historyRead(HistoryPage page, long now) {
    historyAsked = false;
    if (state != State.READING_HISTORY) {
      return;
    }
    if (!page.epoch().equals(epoch) || atLeast.isAfter(page.rev())) {
      retryAt = OptionalLong.of(now + RETRY_MS);
      return;
    }
    rev = page.rev();
    shown.reset(page);
    state = State.FOLLOWING;
    out.accept(new Action.Update(new RoomUpdate.Reset(room, page, gap)));
    gap = true;
    goOn(now);
  }

  /// A page of events has come.
  void eventsRead(EventPage page, long now) {
    eventsAsked = false;
    if (state != State.READING_EVENTS) {
      return;
    }
    if (!page.recovered() || !page.epoch().equals(epoch)) {
      unrecovered(page.epoch(), page.rev());
      return;
    }
    for (var frame : page.events()) {
      RoomEvent event = RoomEvent.read(frame);
      if (event.from().isAfter(rev.next())) {
        break;
      }
      if (event.rev().isAfter(rev)) {
        apply(event);
      }
    }
    if (page.rev().isAfter(rev) || page.hasMore()) {
      askUnlessInVain(now);
      return;
    }
    state = State.FOLLOWING;
    goOn(now);
  }

  private void goOn(long now) {
    while (state == State.FOLLOWING && !held.isEmpty()) {
      RoomEvent event = held.removeFirst();
      if (event.from().isAfter(rev.next())) {
        held.addFirst(event);
        state = State.READING_EVENTS;
        askUnlessInVain(now);
      } else if (event.rev().isAfter(rev)) {
        apply(event);
      }
    }
  }

  /// A read failed; it is made again.
  void readFailed(Action.Read read, long again) {
    switch (read) {
      case Action.ReadHistory _ -> historyAsked = false;
      case Action.ReadEvents _ -> eventsAsked = false;
    }
    if (state != State.FOLLOWING) {
      retryAt = OptionalLong.of(again);
    }
  }

  /// What waits for another read waits no longer.
  void readable(long now) {
    if (retryAt.isPresent()) {
      retryAt = OptionalLong.of(now);
      tick(now);
    }
  }

  OptionalLong deadline() {
    return retryAt;
  }

  void tick(long now) {
    if (retryAt.isPresent() && retryAt.getAsLong() <= now) {
      retryAt = OptionalLong.empty();
      ask();
    }
  }

  /// Asks for events, unless the same question brought none: then history is read, after a while.
  private void askUnlessInVain(long now) {
    if (rev.equals(eventsAskedAfter) && !eventsAsked) {
      state = State.READING_HISTORY;
      gap = true;
      atLeast = rev;
      retryAt = OptionalLong.of(now + RETRY_MS);
    } else {
      ask();
    }
  }

  /// A read under way is not repeated: its answer is judged when it comes.
  private void ask() {
    if (state == State.READING_HISTORY && !historyAsked) {
      historyAsked = true;
      out.accept(new Action.ReadHistory(room, number));
    } else if (state == State.READING_EVENTS && !eventsAsked) {
      eventsAsked = true;
      eventsAskedAfter = rev;
      out.accept(new Action.ReadEvents(room, number, epoch, rev));
    }
  }
}
