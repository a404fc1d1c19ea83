package io.confab.room;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;

/// Until when members may not speak, in PostgreSQL: table `room_mute`. Functions of the database
/// write and read it.
final class MuteStore {
  private MuteStore() {}

  /// Forgets mutes that are over, and answers how many. The copy in `room_member` stays: it is a
  /// time that has passed.
  static Future<Integer> forgetOver(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM room_mute WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM room_mute WHERE until <= now()
              ORDER BY until LIMIT $1 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(most))
        .map(SqlResult::rowCount);
  }
}
