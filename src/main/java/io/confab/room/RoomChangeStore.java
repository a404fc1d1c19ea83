package io.confab.room;

import io.confab.feed.ChangeColumns;
import io.confab.feed.Event;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// Changes of rooms in PostgreSQL, each of them one call of a function: it locks the room,
/// decides, writes, and adds to the numbered log of changes, table `room_change`.
final class RoomChangeStore {
  private static final Set<String> MEMBERSHIPS = Set.of("member.joined", "member.left", "members");

  private final Database database;

  RoomChangeStore(Database database) {
    this.database = database;
  }

  /// What a call made.
  ///
  /// @param events in the order of their revs; empty where nothing had to be changed
  /// @param ofMembers whether a membership began or ended
  /// @param archived whether the room was archived
  /// @param capped whether the room has a capacity, or had until then
  /// @param member as it is then, if one was to be shown
  /// @param invitations whose invitations to the room began or ended
  /// @param outcomes what became of each, where the call was about several accounts
  record Made(
      List<Event> events,
      boolean ofMembers,
      boolean archived,
      boolean capped,
      Optional<Member> member,
      List<AccountId> invitations,
      List<String> outcomes) {}

  /// Makes a change. The epoch is looked at in the same statement: a connection of the pool may be
  /// older than it. Refusals: as [RoomRefusal] names them.
  ///
  /// @param lost as of [Database#change]
  Future<Made> make(RoomCall call, Supplier<Future<Void>> lost) {
    Tuple arguments = Tuple.of(call.room().value());
    call.arguments().forEach(arguments::addValue);
    String sql = sql(call.function(), arguments.size());
    AccountId member = call.member();
    arguments.addLong(database.epoch().current().value());
    arguments.addLong(member == null ? null : member.value());
    return database.change(sql, arguments, lost).map(rows -> made(call, rows));
  }

  /// Each event is a row, of which the first says what is true of the call as a whole.
  private static String sql(String function, int arguments) {
    return """
    SELECT c.refusal, (SELECT l.current FROM look_at_epoch($%d) l) AS epoch,
           (SELECT r.capacity IS NOT NULL FROM room r WHERE r.room_id = $1) AS capped,
           t.rev AS at_rev, t.ts AS at_ts, t.actor_id, t.kind, t.data, t.left_id, t.left_reason,
           s.*, o.invitations, o.outcomes
      FROM %s(%s) c
      LEFT JOIN LATERAL told_room($1, c.before) t ON true
      LEFT JOIN LATERAL seen_member($1, $%d, c.before) s ON true
      LEFT JOIN LATERAL (SELECT told_invitations($1, c.before) AS invitations,
                                to_jsonb(c) -> 'outcomes' AS outcomes) o
             ON coalesce(t.rev = c.before + 1, true)\
    """
        .formatted(
            arguments + 1,
            function,
            IntStream.rangeClosed(1, arguments)
                .mapToObj(i -> "$" + i)
                .collect(Collectors.joining(", ")),
            arguments + 2);
  }

  private static Made made(RoomCall call, RowSet<Row> rows) {
    Row first = rows.iterator().next();
    String refusal = first.getString("refusal");
    if (refusal != null) {
      throw RoomRefusal.of(refusal);
    }
    Optional<Member> member =
        Optional.ofNullable(first.getLong("account_id")).map(_ -> MemberStore.member(first));
    List<AccountId> invitations =
        Arrays.stream(first.getArrayOfLongs("invitations")).map(AccountId::new).toList();
    JsonArray told = first.getJsonArray("outcomes");
    List<String> outcomes =
        told == null ? List.of() : told.stream().map(String.class::cast).toList();
    if (first.getLong("at_rev") == null) {
      return new Made(List.of(), false, false, false, member, invitations, outcomes);
    }
    Epoch epoch = new Epoch(first.getLong("epoch"));
    return new Made(
        StreamSupport.stream(rows.spliterator(), false)
            .map(row -> ChangeColumns.event(call.room(), epoch, row))
            .toList(),
        StreamSupport.stream(rows.spliterator(), false)
            .anyMatch(row -> MEMBERSHIPS.contains(row.getString("kind"))),
        StreamSupport.stream(rows.spliterator(), false)
            .anyMatch(row -> row.getString("kind").equals("room.archived")),
        Boolean.TRUE.equals(first.getBoolean("capped")),
        member,
        invitations,
        outcomes);
  }

  /// Where a room stands, if there is one.
  Future<Optional<Rev>> position(RoomId room) {
    return database
        .client()
        .preparedQuery("SELECT last_rev FROM room_position WHERE room_id = $1")
        .mapping(row -> new Rev(row.getLong("last_rev")))
        .execute(Tuple.of(room.value()))
        .map(rows -> rows.stream().findFirst());
  }
}
