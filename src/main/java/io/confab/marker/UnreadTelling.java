package io.confab.marker;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.UnreadCount;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the sessions of accounts what they have not read, after their markers moved: at once, and
/// then once a second at most. What cannot be read is tried again then; of what is too much to
/// wait, sessions find out by comparing their markers with the database. For any thread.
final class UnreadTelling {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadTelling.class);
  static final Duration REST = Duration.ofSeconds(1);

  /// Rooms of accounts that wait, 100 bytes each: 2 MB.
  static final int MOST_WAITING = 20_000;

  /// In one statement.
  static final int AT_ONCE = 200;

  private final Announcer announcer;
  private final BatchedRead<Place, List<UnreadCount>> counts;
  private final Set<AccountId> told = new HashSet<>();
  private Set<Place> waiting = new LinkedHashSet<>();
  private boolean full;

  UnreadTelling(Function<List<Place>, Future<List<UnreadCount>>> reader, Announcer announcer) {
    this.announcer = announcer;
    this.counts = new BatchedRead<>(MOST_WAITING, AT_ONCE, reader);
  }

  /// The marker of the account begins elsewhere.
  synchronized void tell(AccountId account, RoomId room) {
    Place place = new Place(account, room, Seq.ZERO);
    if (told.add(account)) {
      look(List.of(place));
    } else {
      later(List.of(place));
    }
  }

  private synchronized void later(Collection<Place> places) {
    for (Place place : places) {
      if (waiting.size() < MOST_WAITING) {
        waiting.add(place);
      } else {
        full |= !waiting.contains(place);
      }
    }
  }

  /// To be called after each [#REST].
  synchronized void tellWaiting() {
    told.clear();
    if (full) {
      full = false;
      announcer.untold();
    }
    List<Place> places = List.copyOf(waiting);
    waiting = new LinkedHashSet<>();
    places.forEach(place -> told.add(place.account()));
    for (int from = 0; from < places.size(); from += AT_ONCE) {
      look(places.subList(from, Math.min(from + AT_ONCE, places.size())));
    }
  }

  private void look(List<Place> places) {
    Set<Place> asked = Set.copyOf(places);
    counts
        .read(asked)
        .onSuccess(found -> announce(asked, found))
        .onFailure(
            failure -> {
              LOG.debug("Unread counts are told later", failure);
              later(asked);
            });
  }

  private void announce(Set<Place> asked, List<UnreadCount> found) {
    announcer.signalOnce(
        found.stream()
            .filter(count -> asked.contains(new Place(count.account(), count.room(), Seq.ZERO)))
            .<AccountSignal>map(UnreadCount::signal)
            .toList());
  }
}
