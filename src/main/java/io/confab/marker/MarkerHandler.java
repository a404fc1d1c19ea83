package io.confab.marker;

import io.confab.bus.BusMessage;
import io.confab.feed.Announcer;
import io.confab.marker.MarkerCommand.LookAtUnread;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.ReadMarker;
import io.confab.marker.MarkerCommand.ReadMarkers;
import io.confab.marker.MarkerCommand.ReadReaders;
import io.confab.marker.MarkerCommand.ReadUnread;
import io.confab.marker.MarkerCommand.UnreadCount;
import io.confab.marker.MarkerCommand.UnreadNews;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Answers commands about markers. For any thread.
public final class MarkerHandler implements AutoCloseable {
  /// Markers that wait to be looked at, 100 bytes each: 2 MB.
  private static final int MOST_WAITING = 20_000;

  /// Accounts whose markers one statement compares, of which it reads those that changed.
  private static final int ACCOUNTS_AT_ONCE = 500;

  private static final Markers NOTHING = new Markers(List.of());

  private final Vertx vertx;
  private final MarkerStore store;
  private final UnreadStore unread;
  private final MarkerMoves moves;
  private final UnreadTelling telling;
  private final BatchedRead<Place, List<UnreadCount>> looks;
  private final BatchedRead<ReadMarkers, Map<AccountId, Markers>> changes;
  private long timer = -1;

  /// @param gather from one call that moves markers to the next
  public MarkerHandler(Vertx vertx, Database database, Announcer announcer, Duration gather) {
    this.vertx = vertx;
    this.store = new MarkerStore(database);
    this.unread = new UnreadStore(database);
    this.telling = new UnreadTelling(unread::news, announcer);
    this.moves =
        new MarkerMoves(
            store::move, announcer, telling::tell, BatchedRead.Pace.of(vertx, gather, 1));
    this.looks = new BatchedRead<>(MOST_WAITING, UnreadTelling.AT_ONCE, unread::news);
    this.changes = new BatchedRead<>(MOST_WAITING, ACCOUNTS_AT_ONCE, store::changed);
  }

  public void start() {
    timer = Moments.periodic(vertx, UnreadTelling.REST, telling::tellWaiting);
  }

  public Future<? extends BusMessage> handle(MarkerCommand<?> command) {
    return switch (command) {
      case MoveMarker move -> moves.move(move);
      case ReadMarkers read ->
          changes.read(List.of(read)).map(all -> all.getOrDefault(read.account(), NOTHING));
      case ReadMarker(var account, var room) -> store.inRoom(account, room);
      case ReadUnread(var caller) -> unread.unread(caller);
      case ReadReaders read -> store.readers(read);
      case LookAtUnread(var places) -> look(Set.copyOf(places));
    };
  }

  private Future<UnreadNews> look(Set<Place> places) {
    Set<Object> rooms =
        places.stream().map(p -> List.of(p.account(), p.room())).collect(Collectors.toSet());
    return looks
        .read(places)
        .map(
            all ->
                new UnreadNews(
                    all.stream()
                        .filter(count -> rooms.contains(List.of(count.account(), count.room())))
                        .toList()));
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
