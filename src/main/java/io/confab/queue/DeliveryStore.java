package io.confab.queue;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.confab.queue.EnvelopeCommand.AccountDeliveries;
import io.confab.queue.EnvelopeCommand.Deliveries;
import io.confab.queue.EnvelopeCommand.Failure;
import io.confab.queue.EnvelopeCommand.ReadDeliveries;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads what became of messages in sealed rooms.
public final class DeliveryStore {
  /// Messages of one answer.
  private static final long MOST = 500;

  private static final String READ =
      """
      SELECT r.type, x.role, x.role IS NULL AND EXISTS (SELECT FROM room_ban b
              WHERE b.room_id = r.room_id AND b.account_id = $2) AS banned, d.*
        FROM room r
        LEFT JOIN room_member x ON x.room_id = r.room_id AND x.account_id = $2
        LEFT JOIN LATERAL deliveries($1, $2, $3, $4) d ON x.role IS NOT NULL
       WHERE r.room_id = $1\
      """;

  private final Database database;

  public DeliveryStore(Database database) {
    this.database = database;
  }

  /// Refusals: `not_found`, `forbidden`.
  public Future<Deliveries> read(ReadDeliveries question) {
    return database
        .client()
        .preparedQuery(READ)
        .execute(
            Tuple.of(
                question.room().value(), question.caller().value(), question.from().value(), MOST))
        .map(
            rows -> {
              if (rows.size() == 0) {
                throw Refusal.noSuchRoom();
              }
              require(rows.iterator().next());
              Map<Long, Of> accounts = new TreeMap<>();
              for (Row row : rows) {
                Long account = row.getLong("account_id");
                if (account != null) {
                  accounts.computeIfAbsent(account, _ -> new Of()).add(row);
                }
              }
              return new Deliveries(
                  accounts.entrySet().stream()
                      .map(each -> each.getValue().of(new AccountId(each.getKey())))
                      .toList());
            });
  }

  private static void require(Row row) {
    String role = row.getString("role");
    RoomRight.READ.require(
        RoomRelation.of(
            WireName.of(RoomType.class, row.getString("type")),
            role == null ? null : WireName.of(Role.class, role),
            row.getBoolean("banned")),
        false);
  }

  /// What became of it at one account.
  private static final class Of {
    private final List<List<Seq>> delivered = new ArrayList<>();
    private final List<Failure> failed = new ArrayList<>();
    private @Nullable Seq read;

    void add(Row row) {
      Long from = row.getLong("from_seq");
      Long lost = row.getLong("failed_seq");
      if (from != null) {
        delivered.add(List.of(new Seq(from), new Seq(row.getLong("to_seq"))));
      } else if (lost != null) {
        failed.add(
            new Failure(new Seq(lost), WireName.of(FailureReason.class, row.getString("reason"))));
      } else {
        read = new Seq(row.getLong("read_seq"));
      }
    }

    AccountDeliveries of(AccountId account) {
      return new AccountDeliveries(account, delivered, read, failed);
    }
  }
}
