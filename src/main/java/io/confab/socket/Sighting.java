package io.confab.socket;

import io.confab.presence.Sight;
import io.confab.protocol.PresenceView;
import org.jspecify.annotations.Nullable;

/// One account as one session watches it: because it named it, or a room of which it is a member.
final class Sighting {
  private final PresenceWatch by;
  private final WatchedAccount of;
  private @Nullable Sight sight;
  private @Nullable PresenceView told;
  private boolean named;
  private int rooms;
  private long looks;

  Sighting(PresenceWatch by, WatchedAccount of) {
    this.by = by;
    this.of = of;
  }

  PresenceWatch by() {
    return by;
  }

  WatchedAccount of() {
    return of;
  }

  void name(boolean now) {
    named = now;
  }

  void inRooms(int more) {
    rooms += more;
  }

  boolean isNamed() {
    return named;
  }

  /// Whether the session has no more reason to watch.
  boolean isOver() {
    return !named && rooms == 0;
  }

  /// Whether it is known what the session may know.
  boolean isLookedAt() {
    return sight != null;
  }

  boolean seesAll() {
    return sight != null && sight.isWhole();
  }

  boolean seesSome() {
    return sight != null && sight.presence();
  }

  /// Somebody begins to look up what the session may know; answers the number of that look.
  long look() {
    return ++looks;
  }

  /// What a look has found. Of several at a time only the last one counts, whichever is answered
  /// last: what an earlier one has seen may have been taken back since.
  void found(long look, Sight now) {
    if (look == looks) {
      sight = now.bare();
    }
  }

  /// What the session may know now; nothing before that was looked up.
  PresenceView view() {
    return sight == null ? PresenceView.hidden(of.id()) : of.view(sight);
  }

  /// What the session has been told is this.
  void told(PresenceView view) {
    told = view;
  }

  /// Whether the session has to be told something else than it was. Before it was told anything it
  /// has to be answered first.
  boolean isDue() {
    return told != null && sight != null && !isOver() && !told.equals(view());
  }

  void tell() {
    if (isDue()) {
      by.tell(this);
    }
  }
}
