package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.postgres.Database;
import io.confab.protocol.Caller;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;

/// Tickets in PostgreSQL: table `ticket`. A ticket belongs to the sign-in under which it was
/// made and ends with it.
public final class TicketStore {
  private final Database database;

  public TicketStore(Database database) {
    this.database = database;
  }

  /// Adds a ticket and clears a few old ones away; false when the device is not signed in.
  Future<Boolean> insert(OpaqueToken ticket, Caller caller, Duration ttl) {
    return database
        .client()
        .preparedQuery(
            """
            WITH expired AS (
              DELETE FROM ticket WHERE ticket_hash IN (
                SELECT ticket_hash FROM ticket WHERE expires_at < now()
                ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED))
            INSERT INTO ticket (ticket_hash, account_id, device_id, family_id, expires_at)
            SELECT $1::bytea, account_id, device_id, family_id, now() + $4::bigint * interval '1 ms'
            FROM device WHERE account_id = $2 AND device_id = $3 AND family_id IS NOT NULL
            """)
        .execute(
            Tuple.of(
                Buffer.buffer(ticket.hash()),
                caller.account().value(),
                caller.device().value(),
                ttl.toMillis()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// Uses the ticket up: of several requests at once, one gets the answer.
  Future<Optional<Authenticated>> take(OpaqueToken ticket) {
    return database
        .client()
        .preparedQuery(
            """
            WITH used AS (DELETE FROM ticket WHERE ticket_hash = $1 RETURNING *)
            SELECT account_id, device_id, family_id
            FROM used JOIN device USING (account_id, device_id, family_id)
            WHERE expires_at > now()
            """)
        .execute(Tuple.of(Buffer.buffer(ticket.hash())))
        .map(rows -> DeviceStore.authenticated(rows).stream().findFirst());
  }

  /// Deletes tickets whose time is over, and answers how many.
  Future<Integer> forgetExpired(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM ticket WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM ticket WHERE expires_at <= now()
              ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(most))
        .map(SqlResult::rowCount);
  }

  Future<Void> deleteAll(SqlClient transaction, Caller caller) {
    return transaction
        .preparedQuery("DELETE FROM ticket WHERE account_id = $1 AND device_id = $2")
        .execute(Tuple.of(caller.account().value(), caller.device().value()))
        .mapEmpty();
  }
}
