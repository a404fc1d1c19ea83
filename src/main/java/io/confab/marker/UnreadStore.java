package io.confab.marker;

import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.Unread;
import io.confab.marker.MarkerCommand.UnreadCount;
import io.confab.marker.MarkerCommand.UnreadRoom;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Counts what accounts have not read, from their markers.
final class UnreadStore {
  private final Database database;

  UnreadStore(Database database) {
    this.database = database;
  }

  /// What an account has not read.
  Future<Unread> unread(AccountId account) {
    return database
        .client()
        .preparedQuery(
            "SELECT room_id, unread, mentions FROM unread_counts($1) WHERE unread > 0"
                + " ORDER BY room_id")
        .mapping(
            row ->
                new UnreadRoom(
                    new RoomId(row.getLong("room_id")),
                    row.getLong("unread"),
                    row.getLong("mentions")))
        .execute(Tuple.of(account.value()))
        .map(rows -> unread(rows.stream().toList()));
  }

  private static Unread unread(List<UnreadRoom> rooms) {
    return new Unread(
        rooms.stream().mapToLong(UnreadRoom::unread).sum(),
        rooms.stream().mapToLong(UnreadRoom::mentions).sum(),
        rooms);
  }

  /// The counts where the place of the marker is before a message of others; see `unread_news`.
  Future<List<UnreadCount>> news(List<Place> places) {
    return database
        .client()
        .preparedQuery("SELECT * FROM unread_news($1, $2, $3)")
        .mapping(
            row ->
                new UnreadCount(
                    new AccountId(row.getLong("account_id")),
                    new RoomId(row.getLong("room_id")),
                    row.getLong("unread"),
                    row.getLong("mentions"),
                    row.getLong("total"),
                    new Seq(row.getLong("last_seq")),
                    new Rev(row.getLong("last_rev")),
                    row.getLong("version")))
        .execute(
            Tuple.tuple()
                .addArrayOfLong(longs(places, p -> p.account().value()))
                .addArrayOfLong(longs(places, p -> p.room().value()))
                .addArrayOfLong(places.stream().map(p -> seq(p.seq())).toArray(Long[]::new)))
        .map(rows -> rows.stream().toList());
  }

  private static Long[] longs(List<Place> places, ToLongFunction<Place> of) {
    return places.stream().map(of::applyAsLong).toArray(Long[]::new);
  }

  /// Every place is before no message in particular.
  private static @Nullable Long seq(Seq seq) {
    return seq.equals(Seq.ZERO) ? null : seq.value();
  }
}
