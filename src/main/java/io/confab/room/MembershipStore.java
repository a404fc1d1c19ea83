package io.confab.room;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountStatusStore;
import io.confab.account.ChangeCount;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.Marks;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Where the rooms of accounts stand, read for many accounts in one statement.
///
/// Which rooms are the latest active ones matters only for an account that has more than its
/// limit. It is not stored, so that a send pays nothing for it: it is the time of the room's
/// last message, one probe of the primary key for each room of such an account, or that of
/// joining, if later.
public final class MembershipStore {
  private static final String READ =
      """
      WITH asked AS MATERIALIZED (
        SELECT a.*, CASE WHEN family_id IS NOT NULL THEN nextval('session_number') END AS number
        FROM unnest($1::bigint[], $2::int[], $3::text[], $4::uuid[])
             WITH ORDINALITY AS a (account_id, most, device_id, family_id, place))
      SELECT asked.place, asked.number, i.epoch, d.name, d.platform,
             coalesce(c.number, 0) AS changes, coalesce(c.markers, 0) AS markers,
             coalesce(c.chosen, 0) AS chosen, c.status,
             (extract(epoch FROM now()) * 1000)::bigint AS at_ms, r.*
      FROM asked CROSS JOIN instance i
      LEFT JOIN device d USING (account_id, device_id, family_id)
      LEFT JOIN account_changes c ON c.account_id = asked.account_id
      CROSS JOIN LATERAL (
        SELECT count(*) > asked.most AS too_many
        FROM room_member c WHERE c.account_id = asked.account_id) AS has
      LEFT JOIN LATERAL (
        SELECT p.room_id, p.last_seq, p.last_rev, p.capped, p.inside_only, m.sees_all, has_receipts(s.member_count) AS receipts,
               k.read_seq, k.delivered_seq, k.unread_from,
               coalesce(o.read_seq, 0) AS others_read, coalesce(o.delivered_seq, 0) AS others_received
        FROM room_member m JOIN room_position p USING (room_id) JOIN room s USING (room_id)
        JOIN marker k USING (account_id, room_id)
        LEFT JOIN receipt o ON o.account_id = m.account_id AND o.room_id = m.room_id
          AND has_receipts(s.member_count)
        WHERE m.account_id = asked.account_id
        ORDER BY CASE WHEN has.too_many THEN greatest(m.joined_at, (
          SELECT ts FROM message WHERE room_id = p.room_id AND seq = p.last_seq)) END DESC
        LIMIT asked.most + 1) AS r ON true
      ORDER BY asked.place
      """;

  private final Database database;

  public MembershipStore(Database database) {
    this.database = database;
  }

  /// An account that asks where its rooms stand.
  ///
  /// @param signIn whether it still stands is answered too
  /// @param session that begins by it; each gets a fence of its own
  public record Question(
      AccountId account, int limit, @Nullable Authenticated signIn, @Nullable SessionId session) {}

  /// @param begun null if no sign-in was named, or it is over
  public record Answer(Memberships memberships, @Nullable Begun begun) {}

  public record Begun(ChangeCount changes, Fence fence, String deviceName, String devicePlatform) {}

  /// The questions, which may repeat, with their answers.
  public Future<Map<Question, Answer>> read(List<Question> questions) {
    List<Question> distinct = List.copyOf(new LinkedHashSet<>(questions));
    return database
        .client()
        .preparedQuery(READ)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(column(distinct, q -> q.account().value(), Long[]::new))
                .addArrayOfInteger(column(distinct, Question::limit, Integer[]::new))
                .addArrayOfString(column(distinct, MembershipStore::device, String[]::new))
                .addArrayOfUUID(column(distinct, MembershipStore::family, UUID[]::new)))
        .map(rows -> answers(distinct, rows))
        .onSuccess(
            found ->
                found.values().stream()
                    .limit(1)
                    .forEach(a -> database.epochs().saw(a.memberships().epoch())));
  }

  private static @Nullable String device(Question question) {
    Authenticated signIn = question.signIn();
    return signIn == null ? null : signIn.caller().device().value();
  }

  private static @Nullable UUID family(Question question) {
    Authenticated signIn = question.signIn();
    return signIn == null ? null : signIn.family().value();
  }

  private static <T extends @Nullable Object> T[] column(
      List<Question> questions, Function<Question, T> value, IntFunction<T[]> array) {
    return questions.stream().map(value).toArray(array);
  }

  /// Every question has a row at least.
  private static Map<Question, Answer> answers(List<Question> questions, RowSet<Row> rows) {
    Map<Question, List<Row>> found = new HashMap<>();
    for (Row row : rows) {
      Question question = questions.get(row.getInteger("place") - 1);
      found.computeIfAbsent(question, _ -> new ArrayList<>()).add(row);
    }
    return found.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> answer(e.getKey(), e.getValue())));
  }

  private static Answer answer(Question question, List<Row> rows) {
    Row first = rows.getFirst();
    List<Membership> rooms =
        rows.stream()
            .filter(row -> row.getLong("room_id") != null)
            .map(MembershipStore::membership)
            .toList();
    boolean more = rooms.size() > question.limit();
    Epoch epoch = new Epoch(first.getLong("epoch"));
    return new Answer(
        new Memberships(epoch, more ? rooms.subList(0, question.limit()) : rooms, more),
        first.getString("name") == null ? null : begun(epoch, first));
  }

  private static Begun begun(Epoch epoch, Row row) {
    return new Begun(
        AccountStatusStore.changeCount(row, "changes"),
        new Fence(epoch, row.getLong("number")),
        row.getString("name"),
        row.getString("platform"));
  }

  private static Membership membership(Row row) {
    return new Membership(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("last_seq")),
        new Rev(row.getLong("last_rev")),
        row.getBoolean("sees_all"),
        row.getBoolean("receipts"),
        marks(row),
        row.getBoolean("capped"),
        row.getBoolean("inside_only"));
  }

  private static Marks marks(Row row) {
    Long unreadFrom = row.getLong("unread_from");
    return new Marks(
        new Seq(row.getLong("read_seq")),
        new Seq(row.getLong("delivered_seq")),
        unreadFrom == null ? null : new Seq(unreadFrom),
        new Seq(row.getLong("others_read")),
        new Seq(row.getLong("others_received")));
  }
}
