package io.confab.feed;

import io.confab.feed.EventCommand.RoomVisibility;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.Visibility.Span;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Reads what accounts may see: the table `member_span`.
public final class VisibilityStore {
  private static final int MOST_WAITING = 100_000;

  private static final String READ =
      """
      SELECT room_id, account_id, from_rev, to_rev, seen_from_seq, seen_to_seq
        FROM unnest($1::bigint[], $2::bigint[]) AS asked (room_id, account_id)
        JOIN member_span USING (room_id, account_id)
       ORDER BY room_id, account_id, from_rev\
      """;

  private final Database database;
  private final BatchedRead<Viewer, Map<Viewer, Visibility>> visibilities;

  private record Viewer(RoomId room, AccountId account) {}

  public VisibilityStore(Database database) {
    this.database = database;
    this.visibilities = new BatchedRead<>(MOST_WAITING, this::read);
  }

  /// Reads what an account may see of rooms. One statement serves all calls made at the same time.
  /// Rooms in which it never was are left out. Refusals: `unavailable` when too many wait.
  public Future<Visibilities> read(AccountId account, List<RoomId> rooms) {
    List<Viewer> asked = rooms.stream().map(room -> new Viewer(room, account)).toList();
    return visibilities
        .read(asked)
        .map(
            all ->
                new Visibilities(
                    asked.stream().flatMap(viewer -> visibilityOf(viewer, all)).toList()));
  }

  private static Stream<RoomVisibility> visibilityOf(Viewer viewer, Map<Viewer, Visibility> all) {
    return Stream.ofNullable(all.get(viewer))
        .map(visibility -> new RoomVisibility(viewer.room(), visibility));
  }

  private Future<Map<Viewer, Visibility>> read(List<Viewer> viewers) {
    return database
        .client()
        .preparedQuery(READ)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(viewers.stream().map(v -> v.room().value()).toArray(Long[]::new))
                .addArrayOfLong(
                    viewers.stream().map(v -> v.account().value()).toArray(Long[]::new)))
        .map(
            rows -> {
              Map<Viewer, List<Span>> spans = new HashMap<>();
              for (Row row : rows) {
                Viewer viewer =
                    new Viewer(
                        new RoomId(row.getLong("room_id")),
                        new AccountId(row.getLong("account_id")));
                spans.computeIfAbsent(viewer, _ -> new ArrayList<>()).add(span(row));
              }
              Map<Viewer, Visibility> found = new HashMap<>();
              spans.forEach((viewer, its) -> found.put(viewer, new Visibility(its)));
              return found;
            });
  }

  private static Span span(Row row) {
    Long to = row.getLong("to_rev");
    Long seenTo = row.getLong("seen_to_seq");
    return new Span(
        new Rev(row.getLong("from_rev")),
        to == null ? null : new Rev(to),
        new Seq(row.getLong("seen_from_seq")),
        seenTo == null ? null : new Seq(seenTo));
  }
}
