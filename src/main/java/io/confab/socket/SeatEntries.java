package io.confab.socket;

import io.confab.feed.SeatNews;
import io.confab.protocol.SeatLoss;
import io.confab.seat.SeatState;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who is about to enter from one event loop, and what is heard of them meanwhile. Belongs to its
/// loop.
final class SeatEntries {
  /// More would only keep each other, and those who check in, waiting.
  static final int MOST = 100;

  private final Map<SeatKey, Entry> entries = new HashMap<>();

  /// An account enters a room, by as many calls.
  static final class Entry {
    private final Set<SeatNews> heard = EnumSet.noneOf(SeatNews.class);
    private int calls;
    private boolean ended;

    /// Whether its membership has ended meanwhile.
    boolean isEnded() {
      return ended;
    }

    /// The loss that was heard, if any.
    Optional<SeatLoss> loss() {
      return heard.stream().flatMap(news -> Stream.ofNullable(news.loss())).findFirst();
    }

    /// Whether it may be otherwise than the answer says: what was heard is what it says, or what
    /// came after it.
    private boolean isLaterThan(@Nullable SeatState answer) {
      boolean isLater =
          switch (answer) {
            case SeatState.Inside _ -> false;
            case SeatState.Waiting _ ->
                heard.contains(SeatNews.INSIDE) || heard.contains(SeatNews.OFFER);
            case SeatState.Offered _ -> heard.contains(SeatNews.INSIDE);
            case SeatState.Outside _ -> true;
            case null -> !heard.isEmpty();
          };
      return isLater || loss().isPresent();
    }
  }

  boolean isFull() {
    return entries.size() >= MOST;
  }

  boolean has(SeatKey key) {
    return entries.containsKey(key);
  }

  Entry begin(SeatKey key) {
    Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
    entry.calls++;
    return entry;
  }

  /// A call is answered; says whether to look what is so now.
  ///
  /// @param answer null: it failed
  boolean end(SeatKey key, Entry entry, @Nullable SeatState answer) {
    entry.calls--;
    if (entry.calls == 0) {
      entries.remove(key, entry);
    }
    return !entry.ended && entry.isLaterThan(answer);
  }

  /// Something is heard of an account; says whether it is about to enter.
  boolean hear(SeatKey key, SeatNews news) {
    Entry entry = entries.get(key);
    if (entry != null) {
      entry.heard.add(news);
    }
    return entry != null;
  }

  /// Its membership has ended: an entry that is under way is for nothing.
  void membershipEnded(SeatKey key) {
    Entry entry = entries.remove(key);
    if (entry != null) {
      entry.ended = true;
    }
  }

  int size() {
    return entries.size();
  }
}
