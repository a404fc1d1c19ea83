package io.confab.message;

import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.MaySend;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Asks who may send, outside of a send: decided by the same function of the database
/// (`send_refused`), but without the lock of the room, so it may be outdated when it arrives. Those
/// who ask at once share a statement.
final class SendRightStore {
  /// Questions that may wait, 100 bytes each: 1 MB.
  private static final int MOST_WAITING = 10_000;

  /// In one statement.
  static final int AT_ONCE = 200;

  /// What `send_refused` says of those who may send: later, for the pace of the member can be the
  /// reason, or only sealed.
  private static final Set<String> MAY_SEND = Set.of("slow_mode", "encrypted");

  static final String CHECK =
      """
      SELECT d.account_id, d.room_id, d.seated,
             send_refused(d.room_id, d.account_id, NULL, now(), d.seated) AS refused,
             silence_ms(d.room_id, d.account_id, now()) AS wait_ms,
             r.member_count, p.last_rev, (extract(epoch FROM now()) * 1000)::bigint AS now_ms,
             EXISTS (SELECT FROM account a
                      WHERE a.account_id = d.account_id AND a.presence_visible_to = 'nobody') AS hidden,
             ARRAY(SELECT b.blocked_id
                     FROM block b
                     CROSS JOIN LATERAL (SELECT FROM room_member m
                                          WHERE m.room_id = d.room_id
                                            AND m.account_id = b.blocked_id LIMIT 1) m
                    WHERE b.account_id = d.account_id LIMIT 200) AS hidden_from
        FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS d (account_id, room_id, seated)
        LEFT JOIN LATERAL (SELECT * FROM room r WHERE r.room_id = d.room_id LIMIT 1) r ON true
        LEFT JOIN LATERAL (
          SELECT * FROM room_position p WHERE p.room_id = d.room_id LIMIT 1) p ON true\
      """;

  private final Database database;
  private final BatchedRead<CheckSend, Map<CheckSend, Answer>> checks;

  private sealed interface Answer {
    record Yes(MaySend may) implements Answer {}

    record No(Refusal reason) implements Answer {}
  }

  SendRightStore(Database database, BatchedRead.Pace pace) {
    this.database = database;
    this.checks = new BatchedRead<>(MOST_WAITING, AT_ONCE, this::read, pace);
  }

  Future<MaySend> check(CheckSend question) {
    return checks
        .read(List.of(question))
        .map(
            answers ->
                switch (Objects.requireNonNull(answers.get(question))) {
                  case Answer.Yes(MaySend may) -> may;
                  case Answer.No(Refusal reason) -> throw reason;
                });
  }

  private Future<Map<CheckSend, Answer>> read(List<CheckSend> questions) {
    return database
        .client()
        .preparedQuery(CHECK)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(
                    questions.stream().map(q -> q.caller().value()).toArray(Long[]::new))
                .addArrayOfLong(questions.stream().map(q -> q.room().value()).toArray(Long[]::new))
                .addArrayOfBoolean(
                    questions.stream().map(CheckSend::seated).toArray(Boolean[]::new)))
        .map(
            rows -> {
              Map<CheckSend, Answer> answers = new HashMap<>();
              rows.forEach(row -> answers.put(question(row), answer(row)));
              return answers;
            });
  }

  private static CheckSend question(Row row) {
    return new CheckSend(
        new AccountId(row.getLong("account_id")),
        new RoomId(row.getLong("room_id")),
        row.getBoolean("seated"));
  }

  private static Answer answer(Row row) {
    String refused = row.getString("refused");
    Long wait = row.getLong("wait_ms");
    if (!MAY_SEND.contains(refused)
        && Outcome.of(refused, 0, 0, 0, wait == null ? 0 : wait, null)
            instanceof Outcome.Refused(var reason)) {
      return new Answer.No(reason);
    }
    return new Answer.Yes(
        new MaySend(
            new Rev(row.getLong("last_rev")),
            row.getLong("member_count"),
            row.getLong("now_ms"),
            row.getBoolean("hidden"),
            Arrays.stream(row.getArrayOfLongs("hidden_from")).map(AccountId::new).toList()));
  }
}
