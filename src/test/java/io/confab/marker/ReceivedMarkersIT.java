package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.Chat;
import io.confab.postgres.Database;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a call about received messages alone does is what it does beside a request of another
/// kind: `move_markers` has a shorter way for it.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class ReceivedMarkersIT {
  private static final int ROOMS = 4;
  private static final int MEMBERS = 5;
  private static final int SAID = 4_000;
  private static final int CALLS = 150;

  /// Has read nothing of a room in which nothing was said, and says so again.
  private static final Request BESIDE = new Request(100, 100, "read", 0);

  /// A room of too many members for receipts.
  private static final int LARGE = 4;

  /// What it left behind.
  private static final List<String> STATE =
      List.of(
          "SELECT account_id, room_id, read_seq, delivered_seq, unread_from, ordinal, own"
              + " FROM marker ORDER BY 1, 2",
          "SELECT account_id, room_id, read_seq, delivered_seq FROM receipt ORDER BY 1, 2",
          "SELECT account_id, markers FROM account_changes ORDER BY 1");

  private final RandomGenerator random = new SplittableRandom(7);
  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final SqlConnection connection;

  private record Request(int account, int room, String kind, int seq) {}

  /// @param answers of all markers and requests but that of [#BESIDE]
  private record Result(List<String> answers, List<String> state) {}

  ReceivedMarkersIT(Vertx vertx) {
    for (int room = 1; room <= ROOMS; room++) {
      postgres.execute(Chat.room(room, "group", 1, MEMBERS) + said(room));
    }
    postgres.execute(
        Chat.room(BESIDE.room(), "group", BESIDE.account(), BESIDE.account())
            + "INSERT INTO account (account_id, handle, display_name) VALUES (6, 'out', 'Outside');"
            + "UPDATE room SET member_count = 33 WHERE room_id = "
            + LARGE);
    this.database = new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
    this.connection = Futures.get(database.connect(Map.of()));
  }

  /// By all of its members in turn.
  private static String said(int room) {
    return """
    INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
      SELECT %1$d, i, i, i, 1 + i %% %2$d, now(), 'c', 'text', 'x' FROM generate_series(1, %3$d) i;
    UPDATE room_position SET last_seq = %3$d, last_rev = %3$d, countable = %3$d WHERE room_id = %1$d;
    INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
      SELECT %1$d, a, 1, 1 FROM generate_series(1, %2$d) a;
    """
        .formatted(room, MEMBERS, SAID);
  }

  @AfterEach
  void close() {
    Futures.get(connection.close());
    Futures.get(database.close());
    postgres.close();
  }

  @Test
  void aCallAboutWhatWasReceivedAloneDoesWhatItDoesBesideOthers() {
    Set<String> outcomes = new HashSet<>();
    int receipts = 0;
    for (int call = 0; call < CALLS; call++) {
      disturb();
      List<Request> received = received();
      Result alone = attempt(received);
      List<Request> more = new ArrayList<>(received);
      more.add(BESIDE);
      assertThat(alone).as("%d: %s", call, received).isEqualTo(attempt(more));
      alone.answers().stream().limit(received.size()).forEach(outcomes::add);
      receipts += alone.state().get(1).isEmpty() ? 0 : 1;
    }
    assertThat(outcomes).contains("done", "more", "beyond", "no_receipts").hasSizeGreaterThan(4);
    assertThat(receipts).isPositive();
  }

  /// Markers, what people show of themselves, whom they block, and where rooms are sealed.
  private void disturb() {
    postgres.execute(
        """
        SELECT setseed(%4$s);
        DELETE FROM receipt;
        DELETE FROM account_changes;
        DELETE FROM block;
        UPDATE marker SET read_seq = floor(random() * %1$d), delivered_seq = floor(random() * %1$d) WHERE room_id <= %2$d;
        UPDATE marker SET unread_from = CASE WHEN random() < 0.3 AND read_seq > 0 THEN 1 + floor(random() * read_seq) END
          WHERE room_id <= %2$d;
        UPDATE account SET private_reading = random() < 0.3,
                           presence_visible_to = CASE WHEN random() < 0.2 THEN 'nobody' ELSE 'everyone' END;
        INSERT INTO block (account_id, blocked_id)
          SELECT a, 1 + a %% %3$d FROM generate_series(1, %3$d) a WHERE random() < 0.2;
        UPDATE room SET encryption_suite = NULL, sealed_from_seq = NULL, sealed_from_rev = NULL;
        UPDATE room SET encryption_suite = 'olm1', sealed_from_seq = 2000, sealed_from_rev = 2000 WHERE room_id = 3;
        """
            .formatted(SAID, ROOMS, MEMBERS, random.nextDouble()));
  }

  /// By account and room, some of them twice, some by people outside, some of what is not there.
  private List<Request> received() {
    return IntStream.range(0, random.nextInt(1, 12))
        .mapToObj(
            _ ->
                new Request(
                    random.nextInt(1, MEMBERS + 2),
                    random.nextInt(1, ROOMS + 1),
                    "delivered",
                    random.nextInt(0, SAID + 200)))
        .sorted(Comparator.comparingInt(Request::account).thenComparingInt(Request::room))
        .toList();
  }

  /// Tries it and takes it back.
  private Result attempt(List<Request> requests) {
    run("BEGIN");
    try {
      Row row = run(call(requests)).iterator().next();
      List<String> answers = new ArrayList<>();
      int last = requests.getLast().equals(BESIDE) ? 1 : 0;
      for (int column = 0; column < row.size(); column++) {
        Object[] each = (Object[]) row.getValue(column);
        boolean ofHidden = row.getColumnName(column).startsWith("hidden");
        for (int i = 0; each != null && i < each.length - (ofHidden ? 0 : last); i++) {
          answers.add(String.valueOf(each[i]));
        }
      }
      return new Result(answers, STATE.stream().map(this::all).toList());
    } finally {
      run("ROLLBACK");
    }
  }

  private String all(String sql) {
    return run(sql).stream().map(Row::deepToString).collect(Collectors.joining("; "));
  }

  /// Asks for everything that is answered of requests and markers, but for the version.
  private static String call(List<Request> requests) {
    return """
    SELECT outcomes, marker_accounts, marker_rooms, reads, delivereds, unread_froms, moved, replaced, shown, read_shown,
           hidden_markers, hidden_from
      FROM move_markers(ARRAY[%s]::bigint[], ARRAY[%s]::bigint[], ARRAY[%s]::text[], ARRAY[%s]::bigint[],
                        ARRAY[%s]::bigint[])
    """
        .formatted(
            joined(requests.stream().map(Request::account).toList()),
            joined(requests.stream().map(Request::room).toList()),
            joined(requests.stream().map(request -> "'" + request.kind() + "'").toList()),
            joined(requests.stream().map(Request::seq).toList()),
            joined(requests.stream().map(_ -> "NULL").toList()));
  }

  private static String joined(List<?> items) {
    return items.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private RowSet<Row> run(String sql) {
    return Futures.get(connection.query(sql).execute());
  }
}
