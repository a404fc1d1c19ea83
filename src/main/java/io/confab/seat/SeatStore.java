package io.confab.seat;

import static java.util.Objects.requireNonNull;

import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What PostgreSQL knows of seats: whether Redis still has them (`seat_epoch`, `room_seats`), and
/// who may have one.
final class SeatStore implements SeatRooms.Consents {
  private static final String LOOK = "SELECT * FROM look_at_seats($1, $2, $3, $4)";
  private static final String OPEN = "SELECT * FROM open_seats($1, $2)";
  private static final String RIGHTS =
      """
      SELECT a.room, a.account, s.*
        FROM unnest($1::bigint[], $2::bigint[]) AS a (room, account),
             LATERAL seat_right(a.room, a.account) AS s
      """;
  private static final String ACT = "SELECT * FROM act_on_seat($1, $2, $3, $4)";
  private static final String NOTE = "UPDATE room_seats SET used_at = now() WHERE room_id = $1";
  private static final String IN_USE =
      """
      SELECT s.room_id, CASE WHEN NOT p.archived THEN r.capacity END AS capacity, p.last_rev, r.capped_rev
        FROM room_seats s JOIN room r USING (room_id) JOIN room_position p USING (room_id)
       WHERE s.used_at > now() - interval '3 h' AND s.seat_epoch = $1
       ORDER BY s.used_at DESC LIMIT $2
      """;
  private static final String SEEN =
      """
      SELECT a.account_id FROM unnest($1::bigint[]) AS a (account_id)
       WHERE NOT presence_hidden(a.account_id, $2)
      """;

  /// Questions about rights that may wait, and that are asked together: before an event everybody
  /// enters at once.
  private static final int MOST_QUESTIONS = 20_000;

  private static final int TOGETHER = 1_000;

  private final Database database;
  private final BatchedRead<Question, Map<Question, Row>> rights;

  SeatStore(Database database) {
    this.database = database;
    this.rights = new BatchedRead<>(MOST_QUESTIONS, TOGETHER, this::rights);
  }

  private record Question(RoomId room, AccountId account) {}

  /// How `seat_epoch` stands.
  ///
  /// @param raised how long ago the epoch was raised; empty: never
  /// @param away for how long nobody could say anything before the later one of raised and resumed;
  ///     from the first of several such times
  /// @param resumed how long ago somebody saw the servers again after a while; empty: never
  record Looked(
      long epoch,
      List<String> instances,
      Optional<Duration> raised,
      Duration away,
      Optional<Duration> resumed) {}

  /// @param seen run ids of the servers that the node sees
  /// @param known the greatest epoch that it has met
  /// @param sure whether it has seen these before
  /// @param isAll whether these are all that are in charge of keys
  Future<Looked> look(List<String> seen, long known, boolean sure, boolean isAll) {
    return row(LOOK, Tuple.of(seen.toArray(String[]::new), known, sure, isAll))
        .map(
            row ->
                new Looked(
                    row.getLong("current"),
                    List.of(row.getArrayOfStrings("instances")),
                    millis(row.getLong("raised_ms")),
                    Duration.ofMillis(row.getLong("away_ms")),
                    millis(row.getLong("resumed_ms"))));
  }

  private static Optional<Duration> millis(@Nullable Long value) {
    return Optional.ofNullable(value).map(Duration::ofMillis);
  }

  /// Whether the seats of a room may be set up.
  sealed interface Consent {
    record Given(SeatOpening opening, Capacity capacity) implements Consent {}

    /// Another node is about to.
    record Later() implements Consent {}

    /// The epoch is another one.
    record Stale() implements Consent {}

    record Uncapped() implements Consent {}
  }

  @Override
  public Future<Consent> open(RoomId room, long epoch) {
    return row(OPEN, Tuple.of(room.value(), epoch)).map(row -> consent(row, epoch));
  }

  private static Consent consent(Row row, long epoch) {
    String verdict = row.getString("verdict");
    return switch (verdict) {
      case "first", "lost" ->
          new Consent.Given(
              new SeatOpening(epoch, row.getLong("opening_"), verdict.equals("lost")),
              capacity(row, "rev_"));
      case "later" -> new Consent.Later();
      case "stale" -> new Consent.Stale();
      default -> new Consent.Uncapped();
    };
  }

  /// @param leads whether the account is an owner or an admin
  record Right(Capacity capacity, boolean leads) {}

  /// Refused where the account may not have a seat.
  Future<Right> right(RoomId room, AccountId account) {
    Question question = new Question(room, account);
    return rights
        .read(List.of(question))
        .map(
            all -> {
              Row row = requireNonNull(all.get(question));
              refuse(row.getString("refusal"));
              return new Right(capacity(row, "rev"), !row.getString("role_").equals("member"));
            });
  }

  private Future<Map<Question, Row>> rights(List<Question> questions) {
    Long[] ofRooms = questions.stream().map(one -> one.room().value()).toArray(Long[]::new);
    Long[] ofAccounts = questions.stream().map(one -> one.account().value()).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery(RIGHTS)
        .execute(Tuple.tuple().addArrayOfLong(ofRooms).addArrayOfLong(ofAccounts))
        .map(
            rows -> {
              Map<Question, Row> found = new HashMap<>();
              for (Row row : rows) {
                found.put(
                    new Question(
                        new RoomId(row.getLong("room")), new AccountId(row.getLong("account"))),
                    row);
              }
              return found;
            });
  }

  /// What owners and admins do to seats, as the audit names it.
  static final String LET_IN = "seat.let_in";

  static final String REMOVED = "seat.removed";

  /// Refused where the actor may not do that; else it is in the audit.
  Future<Capacity> act(RoomId room, AccountId actor, String action, AccountId account) {
    Tuple arguments = Tuple.of(room.value(), actor.value(), action, account.value());
    return database
        .change(ACT, arguments, Future::succeededFuture)
        .map(rows -> rows.iterator().next())
        .map(
            row -> {
              refuse(row.getString("refusal"));
              return capacity(row, "rev");
            });
  }

  private static void refuse(@Nullable String refusal) {
    if (refusal != null) {
      throw switch (refusal) {
        case "forbidden" -> notYours();
        case "archived" -> new Refusal(ErrorCode.CONFLICT, "the room is archived");
        case "uncapped" -> uncapped();
        case "no_member" -> new Refusal(ErrorCode.NOT_FOUND, "not a member of the room");
        default -> Refusal.noSuchRoom();
      };
    }
  }

  static Refusal notYours() {
    return new Refusal(ErrorCode.FORBIDDEN, "not allowed in this room");
  }

  static Refusal uncapped() {
    return Refusal.invalidField("room_id", "is a room without a capacity");
  }

  /// The capacity of a room; 0 where it has none.
  Future<Capacity> capacity(RoomId room) {
    return database
        .client()
        .preparedQuery(
            "SELECT CASE WHEN NOT p.archived THEN r.capacity END AS capacity, p.last_rev,"
                + " r.capped_rev FROM room r JOIN room_position p USING (room_id) WHERE r.room_id ="
                + " $1")
        .execute(Tuple.of(room.value()))
        .map(rows -> rows.size() == 0 ? new Capacity(0, 0, 0) : capacity(rows.iterator().next()));
  }

  private static Capacity capacity(Row row, String rev) {
    return new Capacity(row.getInteger("capacity_"), row.getLong(rev), row.getLong("capped_rev_"));
  }

  private static Capacity capacity(Row row) {
    Integer seats = row.getInteger("capacity");
    return new Capacity(
        seats == null ? 0 : seats, row.getLong("last_rev"), row.getLong("capped_rev"));
  }

  @Override
  public Future<Void> note(RoomId room) {
    return database.client().preparedQuery(NOTE).execute(Tuple.of(room.value())).mapEmpty();
  }

  /// The rooms that were used in the last hours, and their capacities.
  Future<Map<RoomId, Capacity>> inUse(long epoch, int most) {
    return database
        .client()
        .preparedQuery(IN_USE)
        .execute(Tuple.of(epoch, most))
        .map(
            rows -> {
              Map<RoomId, Capacity> found = new HashMap<>();
              rows.forEach(row -> found.put(new RoomId(row.getLong("room_id")), capacity(row)));
              return found;
            });
  }

  /// Those of the accounts that are not hidden from a viewer.
  Future<Set<AccountId>> seen(List<AccountId> accounts, AccountId viewer) {
    Long[] ids = accounts.stream().map(AccountId::value).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery(SEEN)
        .execute(Tuple.of(ids, viewer.value()))
        .map(
            rows ->
                Arrays.stream(rows.stream().mapToLong(row -> row.getLong("account_id")).toArray())
                    .mapToObj(AccountId::new)
                    .collect(Collectors.toSet()));
  }

  private Future<Row> row(String sql, Tuple arguments) {
    return database
        .client()
        .preparedQuery(sql)
        .execute(arguments)
        .map(rows -> rows.iterator().next());
  }
}
