package io.confab.message;

import io.confab.feed.Event;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventStore;
import io.confab.feed.Visibility;
import io.confab.feed.VisibilityStore;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Reads the log of a room for callers without a socket, as a socket would send it.
public final class LogStore {
  private static final String STANDING =
      """
      SELECT i.epoch, p.last_rev, p.inside_only, r.type, x.role, x.sees_all,
          x.role IS NULL AND EXISTS (SELECT FROM room_ban b
              WHERE b.room_id = r.room_id AND b.account_id = $2) AS banned
        FROM instance i, room r
        JOIN room_position p USING (room_id)
        LEFT JOIN room_member x ON x.room_id = r.room_id AND x.account_id = $2
       WHERE r.room_id = $1\
      """;

  private final Database database;
  private final EventStore events;
  private final VisibilityStore visibilities;

  public LogStore(Database database, EventStore events, VisibilityStore visibilities) {
    this.database = database;
    this.events = events;
    this.visibilities = visibilities;
  }

  /// Where the room stood when the caller was seen to be a member.
  private record Standing(Epoch epoch, Rev rev, boolean seesAll) {
    static Standing of(RowSet<Row> rows, boolean seated) {
      if (rows.size() == 0) {
        throw Refusal.noSuchRoom();
      }
      Row row = rows.iterator().next();
      ReaderColumns.require(row, seated);
      return new Standing(
          new Epoch(row.getLong("epoch")),
          new Rev(row.getLong("last_rev")),
          row.getBoolean("sees_all"));
    }

    boolean knows(ReadLog request) {
      return epoch.equals(request.epoch()) && !request.after().isAfter(rev);
    }
  }

  /// A page of events, in order, the first with the rev after the given one. Of a position that
  /// is not of this epoch, or ahead of the room, nothing is recovered. Refusals: `not_found`,
  /// `forbidden` (a channel that the caller has not joined).
  public Future<LogPage> read(ReadLog request) {
    return database
        .client()
        .preparedQuery(STANDING)
        .execute(Tuple.of(request.room().value(), request.caller().value()))
        .onSuccess(database.epochs()::sawIn)
        .map(rows -> Standing.of(rows, request.seated()))
        .compose(
            standing ->
                standing.knows(request)
                    ? read(request, standing)
                    : Future.succeededFuture(
                        new LogPage(standing.epoch(), false, List.of(), standing.rev(), false)));
  }

  private Future<LogPage> read(ReadLog request, Standing standing) {
    return visibility(request.caller(), request.room(), standing)
        .compose(
            visibility ->
                events
                    .read(request.room(), request.after(), request.limit())
                    .map(page -> page(request, standing, visibility, page)));
  }

  private Future<Visibility> visibility(AccountId caller, RoomId room, Standing standing) {
    return standing.seesAll()
        ? Future.succeededFuture(Visibility.ALL)
        : visibilities
            .read(caller, List.of(room))
            .map(found -> found.byRoom().getOrDefault(room, new Visibility(List.of())));
  }

  /// The log ends for the caller where its membership ends.
  private static LogPage page(
      ReadLog request, Standing standing, Visibility visibility, EventPage page) {
    if (!page.epoch().equals(standing.epoch())) {
      return new LogPage(page.epoch(), false, List.of(), page.head(), false);
    }
    List<byte[]> frames = new ArrayList<>(page.events().size());
    Rev last = request.after();
    for (Event event : page.events()) {
      if (event.subject() instanceof Event.Departure(AccountId who, _)
          && who.equals(request.caller())
          && event.rev().isAfter(standing.rev())) {
        return new LogPage(standing.epoch(), true, frames, last, false);
      }
      frames.add(visibility.shows(event) ? event.frame() : event.hiddenFrame());
      last = event.rev();
    }
    return new LogPage(standing.epoch(), true, frames, page.head(), page.head().isAfter(last));
  }
}
