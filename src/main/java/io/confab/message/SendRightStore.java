package io.confab.message;

import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.MaySend;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;

/// Asks who may send, outside of a send: decided by the same function of the database
/// (`send_refused`), but without the lock of the room, so it may be outdated when it arrives.
final class SendRightStore {
  /// What `send_refused` says last, when nothing but the pace of the member can be the reason.
  private static final String PACE_ALONE = "slow_mode";

  private static final String CHECK =
      """
      SELECT send_refused($1, $2, NULL, now(), $3) AS refused, silence_ms($1, $2, now()) AS wait_ms,
             r.member_count, p.last_rev, (extract(epoch FROM now()) * 1000)::bigint AS now_ms,
             (SELECT a.presence_visible_to = 'nobody' FROM account a WHERE a.account_id = $2) AS hidden,
             ARRAY(SELECT b.blocked_id
                     FROM block b JOIN room_member m ON m.room_id = $1 AND m.account_id = b.blocked_id
                    WHERE b.account_id = $2 LIMIT 200) AS hidden_from
        FROM (VALUES (true)) AS always
        LEFT JOIN (room r JOIN room_position p USING (room_id)) ON r.room_id = $1\
      """;

  private final Database database;

  SendRightStore(Database database) {
    this.database = database;
  }

  Future<MaySend> check(CheckSend question) {
    return database
        .client()
        .preparedQuery(CHECK)
        .execute(Tuple.of(question.room().value(), question.caller().value(), question.seated()))
        .map(rows -> answer(rows.iterator().next()));
  }

  private static MaySend answer(Row row) {
    String refused = row.getString("refused");
    Long wait = row.getLong("wait_ms");
    if (!refused.equals(PACE_ALONE)
        && Outcome.of(refused, 0, 0, 0, wait == null ? 0 : wait, null)
            instanceof Outcome.Refused(var reason)) {
      throw reason;
    }
    return new MaySend(
        new Rev(row.getLong("last_rev")),
        row.getLong("member_count"),
        row.getLong("now_ms"),
        row.getBoolean("hidden"),
        Arrays.stream(row.getArrayOfLongs("hidden_from")).map(AccountId::new).toList());
  }
}
