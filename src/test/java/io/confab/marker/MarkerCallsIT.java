package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.marker.DriftStore.Compared;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.message.Chat;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Calls about markers read no table whole, also when their plans were made while the tables were
/// small; and counts that are wrong are found.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class MarkerCallsIT {
  private static final int UNTIL_PLANS_ARE_KEPT = 8;
  private static final int SAID = 200;

  /// Of what reads or writes nothing but single rows. Whoever reads a table whole reads more.
  private static final int MOST_BUFFERS = 150;

  private static final List<String> TABLES =
      List.of(
          "account",
          "account_changes",
          "block",
          "marker",
          "member_span",
          "mention",
          "message",
          "receipt",
          "room",
          "room_member",
          "room_position");

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final SqlConnection connection;

  MarkerCallsIT(Vertx vertx) {
    for (String table : TABLES) {
      postgres.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
    }
    postgres.execute(Chat.room(1, "group", 1, 3) + said(1) + "ANALYZE");
    this.database = new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
    this.connection = Futures.get(database.connect(Map.of()));
  }

  /// Account 2 has said something in a room.
  private static String said(int room) {
    return """
    INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
      SELECT %1$d, i, i, i, 2, now(), 'c', 'text', 'x' FROM generate_series(1, %2$d) i;
    UPDATE room_position SET last_seq = %2$d, last_rev = %2$d, countable = %2$d WHERE room_id = %1$d;
    UPDATE room_member SET sent = %2$d WHERE room_id = %1$d AND account_id = 2;
    INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
      SELECT %1$d, a, 1, 1 FROM generate_series(1, 3) a;
    """
        .formatted(room, SAID);
  }

  @AfterEach
  void close() {
    Futures.get(connection.close());
    Futures.get(database.close());
    postgres.close();
  }

  private RowSet<Row> run(String sql) {
    return Futures.get(connection.query(sql).execute());
  }

  private long buffers(String sql) {
    JsonArray plan =
        (JsonArray)
            run("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql).iterator().next().getValue(0);
    JsonObject top = plan.getJsonObject(0).getJsonObject("Plan");
    return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
  }

  private static String move(String kind, int from, int to) {
    return """
    SELECT * FROM move_markers(
      array_fill(1::bigint, ARRAY[%1$d]), array_fill(1::bigint, ARRAY[%1$d]),
      array_fill('%2$s'::text, ARRAY[%1$d]),
      ARRAY(SELECT i::bigint FROM generate_series(%3$d, %4$d) i),
      array_fill(NULL::bigint, ARRAY[%1$d]))
    """
        .formatted(to - from + 1, kind, from, to);
  }

  private static List<String> counts() {
    return List.of(
        "SELECT * FROM unread_counts(1)",
        "SELECT * FROM unread_news(ARRAY[1::bigint], ARRAY[1::bigint], ARRAY[NULL::bigint])",
        "SELECT * FROM unread_news(ARRAY[1::bigint], ARRAY[1::bigint], ARRAY[150::bigint])");
  }

  private void grow() {
    postgres.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          SELECT a, 'a' || a, 'A' FROM generate_series(4, 20000) a;
        INSERT INTO room (room_id, type, name, member_count)
          SELECT r, 'group', 'r', 1 FROM generate_series(2, 20000) r;
        INSERT INTO room_position (room_id) SELECT r FROM generate_series(2, 20000) r;
        INSERT INTO room_member (room_id, account_id, role)
          SELECT r, r, 'member' FROM generate_series(3, 20000) r
          UNION ALL SELECT r, 2, 'member' FROM generate_series(3, 20000) r;
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
          SELECT r, r, 1, 1 FROM generate_series(3, 20000) r;
        INSERT INTO receipt (account_id, room_id, delivered_seq, read_seq, moved_at)
          SELECT r, r, 1, 1, now() FROM generate_series(3, 20000) r;
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT 3 + i % 19000, i, i, i, 2, now(), 'c', 'text', 'x' FROM generate_series(1, 100000) i;
        INSERT INTO mention (account_id, room_id, seq, sender_id)
          SELECT i % 2, 3 + i % 19000, i, 2 FROM generate_series(1, 20000) i;
        """);
  }

  @Test
  void callsReadNoTableWhole() {
    for (int i = 1; i <= UNTIL_PLANS_ARE_KEPT; i++) {
      run(move("read", i, i));
      run(move("delivered", 10 * i, 10 * i + 5));
      run(move("unread", i, i));
      counts().forEach(this::run);
    }
    grow();
    // The first call after that looks at the catalog, too.
    run(move("read", 118, 118));
    run(move("unread", 110, 110));
    assertThat(buffers(move("read", 120, 120))).isLessThan(MOST_BUFFERS);
    for (int seq = 130; seq <= 180; seq += 10) {
      assertThat(buffers(move("delivered", seq, seq + 5))).isLessThan(MOST_BUFFERS);
    }
    assertThat(buffers(move("unread", 100, 100))).isLessThan(MOST_BUFFERS);
    for (String count : counts()) {
      assertThat(buffers(count)).as(count).isLessThan(MOST_BUFFERS);
    }
    for (String table : List.of("account", "marker", "message", "receipt", "room", "room_member")) {
      assertThat(buffers("SELECT count(ctid) FROM " + table)).as(table).isGreaterThan(MOST_BUFFERS);
    }
  }

  @Test
  void whatIsSealedHasArrivedWhenADeviceSaysSoAndNotWhenAMemberDoes() {
    postgres.execute(
        "UPDATE room SET encryption_suite = 'olm1', sealed_from_seq = 101, sealed_from_rev = 101;"
            + "UPDATE message SET msg_type = 'sealed', body = NULL WHERE seq > 100;"
            + "UPDATE account SET private_reading = true WHERE account_id = 1");
    assertThat(outcome(move("delivered", 150, 150))).isEqualTo("done");
    assertThat(places()).isEqualTo("delivered 100, read 0; told 100, 0");
    assertThat(outcome(move("read", 150, 150))).isEqualTo("done");
    assertThat(places()).isEqualTo("delivered 100, read 150; told 100, 0");

    postgres.execute("UPDATE account SET private_reading = false WHERE account_id = 1");
    assertThat(outcome(move("read", 160, 160))).isEqualTo("done");
    assertThat(places()).as("what was read").isEqualTo("delivered 100, read 160; told 160, 160");
  }

  private String outcome(String call) {
    return run(call).iterator().next().getArrayOfStrings("outcomes")[0];
  }

  /// Where the marker of account 1 stands, and what account 2 was told.
  private String places() {
    return postgres.text(
        """
        SELECT format('delivered %s, read %s; told %s, %s', k.delivered_seq, k.read_seq, r.delivered_seq, r.read_seq)
          FROM marker k JOIN receipt r USING (room_id) WHERE k.account_id = 1 AND r.account_id = 2\
        """);
  }

  @Test
  void countsThatAreWrongAreFound() {
    DriftStore drift = new DriftStore(database);
    Compared right = Futures.get(drift.compare(Long.MIN_VALUE, 2));
    assertThat(right).isEqualTo(new Compared(2, 2, 0, 2L, 0));
    assertThat(Futures.get(drift.compare(2, 2))).isEqualTo(new Compared(1, 1, 0, 3L, 0));
    assertThat(Futures.get(drift.compare(3, 2))).isEqualTo(new Compared(0, 0, 0, null, 0));

    postgres.execute("UPDATE marker SET own = own + 1 WHERE account_id = 1");
    assertThat(Futures.get(drift.compare(Long.MIN_VALUE, 100)).differing()).isEqualTo(1);
    postgres.execute("UPDATE marker SET own = own - 1 WHERE account_id = 1");
    postgres.execute(
        "INSERT INTO mention (account_id, room_id, seq, sender_id) VALUES (1, 1, 5, 2);"
            + "UPDATE message SET deleted_at = now(), body = NULL WHERE seq = 5");
    assertThat(Futures.get(drift.compare(Long.MIN_VALUE, 100)).differing()).isEqualTo(1);
  }

  @Test
  void aLookThroughAllBeginsSomewhereAmongThem() {
    DriftStore drift = new DriftStore(database);
    RandomGenerator random = new SplittableRandom(1);
    Set<Long> begins = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      begins.add(Futures.get(drift.somewhere(random)));
    }
    assertThat(begins).containsExactly(0L, 1L, 2L);
  }

  /// Twelve thousand messages by two people in turn, of which nobody has read any.
  private void sayMuch() {
    postgres.execute(
        """
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT 1, i, i, i, 2 + i %% 2, now(), 'c', 'text', 'x' FROM generate_series(%1$d + 1, 12000) i;
        UPDATE room_position SET last_seq = 12000, last_rev = 12000, countable = 12000 WHERE room_id = 1;
        UPDATE room_member m SET sent = (SELECT count(*) FROM message x WHERE x.sender_id = m.account_id)
          WHERE m.room_id = 1;
        UPDATE marker SET read_seq = 0, delivered_seq = 0, ordinal = 0, own = 0 WHERE room_id = 1;
        """
            .formatted(SAID));
  }

  /// Asks as long as there is more to do; answers the outcomes.
  private List<String> moveAll(int account, String kind, int seq) {
    List<String> outcomes = new ArrayList<>();
    String stood = "NULL";
    do {
      outcomes.add(step(account, kind, seq, stood));
      stood = stood(account);
    } while (outcomes.getLast().equals("more"));
    return outcomes;
  }

  private String step(int account, String kind, int seq, String stood) {
    return run("SELECT outcomes[1] FROM move_markers(ARRAY[%d], ARRAY[1], ARRAY['%s'], ARRAY[%d], ARRAY[%s]::bigint[])"
            .formatted(account, kind, seq, stood))
        .iterator()
        .next()
        .getString(0);
  }

  private String stood(int account) {
    return Long.toString(
        number("SELECT coalesce(unread_from, 0) FROM marker WHERE account_id = " + account));
  }

  @Test
  void whatIsMarkedWhileALongReadGoesOnStaysMarked() {
    sayMuch();
    assertThat(step(1, "read", 6_000, "NULL")).isEqualTo("more");
    String stood = stood(1);
    moveAll(1, "unread", 1_500);
    assertThat(step(1, "read", 6_000, stood)).isEqualTo("aside");
    assertThat(step(1, "read", 6_000, "-1")).isEqualTo("done");
    assertThat(number("SELECT read_seq FROM marker WHERE account_id = 1")).isEqualTo(6_000);
    assertThat(stood(1)).isEqualTo("1500");
    assertCountsAreRight();
    assertThat(moveAll(1, "read", 6_000)).endsWith("done");
    assertThat(stood(1)).isEqualTo("0");
  }

  @Test
  void whatIsMarkedWhileWhatWasMarkedIsReadStaysMarked() {
    sayMuch();
    moveAll(1, "read", 9_000);
    moveAll(1, "unread", 1_001);
    assertThat(step(1, "read", 8_000, "NULL")).isEqualTo("more");
    String stood = stood(1);
    moveAll(1, "unread", 2_000);
    assertThat(step(1, "read", 8_000, stood)).isEqualTo("done");
    assertThat(stood(1)).isEqualTo("2000");
    assertCountsAreRight();
  }

  @Test
  void whatIsToldOfAReceiptOrACountSaysUpToWhereTheRoomWasSeen() {
    postgres.execute("UPDATE room_position SET last_rev = 777 WHERE room_id = 1");
    assertThat(
            number(
                "SELECT receipt_revs[1] FROM move_markers(ARRAY[1::bigint], ARRAY[1::bigint],"
                    + " ARRAY['read'], ARRAY[5::bigint], ARRAY[NULL::bigint])"))
        .isEqualTo(777);
    assertThat(
            number(
                "SELECT last_rev FROM unread_news(ARRAY[1::bigint], ARRAY[1::bigint],"
                    + " ARRAY[NULL::bigint])"))
        .isEqualTo(777);
    Markers found = Futures.get(new MarkerStore(database).inRoom(new AccountId(1), new RoomId(1)));
    assertThat(found.markers().getFirst().asOf()).isEqualTo(new Rev(777));
  }

  /// As one that was raised just while the membership ended.
  @Test
  void aReceiptThatIsLeftOverIsNoneOfTheNextMembership() {
    postgres.execute(
        """
        DELETE FROM room_member WHERE room_id = 1 AND account_id = 3;
        INSERT INTO receipt (account_id, room_id, delivered_seq, read_seq, moved_at) VALUES (3, 1, 5, 5, now());
        INSERT INTO room_member (room_id, account_id, role) VALUES (1, 3, 'member');
        """);
    assertThat(number("SELECT count(*) FROM receipt WHERE account_id = 3")).isZero();
  }

  @Test
  void aMarkBehindALongReadInTheSameCallStaysToo() {
    sayMuch();
    Row row =
        run("SELECT outcomes FROM move_markers(ARRAY[1, 1], ARRAY[1, 1], ARRAY['read', 'unread'],"
                + " ARRAY[6000, 500], ARRAY[NULL, NULL]::bigint[])")
            .iterator()
            .next();
    assertThat(row.getArrayOfStrings(0)).containsExactly("aside", "done");
    assertThat(stood(1)).isEqualTo("500");
  }

  private long number(String sql) {
    return run(sql).iterator().next().getLong(0);
  }

  private void assertCountsAreRight() {
    DriftStore drift = new DriftStore(database);
    assertThat(Futures.get(drift.compare(Long.MIN_VALUE, 100)).differing()).isZero();
  }

  @Test
  void whatIsTooFarForOneCallIsReadInSteps() {
    sayMuch();
    assertThat(moveAll(1, "read", 6_000)).hasSizeBetween(2, 10).endsWith("done");
    assertThat(number("SELECT read_seq FROM marker WHERE account_id = 1")).isEqualTo(6_000);
    assertThat(number("SELECT read_seq FROM receipt WHERE account_id = 2")).isEqualTo(6_000);
    assertThat(number("SELECT read_seq FROM receipt WHERE account_id = 3")).isEqualTo(5_999);
    assertCountsAreRight();
    assertThat(moveAll(2, "delivered", 6_001)).hasSizeBetween(2, 10).endsWith("done");
    assertThat(number("SELECT delivered_seq FROM receipt WHERE account_id = 3")).isEqualTo(6_001);
    assertCountsAreRight();
  }

  @Test
  void withoutReceiptsWhatIsNearTheEndIsReadAtOnce() {
    sayMuch();
    postgres.execute("UPDATE room SET member_count = 33 WHERE room_id = 1");
    assertThat(moveAll(1, "read", 11_990)).containsExactly("done");
    assertCountsAreRight();
    assertThat(moveAll(2, "read", 7_000)).hasSizeBetween(2, 10).endsWith("done");
    assertCountsAreRight();
  }

  @Test
  void whatWasMarkedAsUnreadLongAgoIsReadInSteps() {
    sayMuch();
    moveAll(1, "read", 9_000);
    assertThat(moveAll(1, "unread", 1_001)).containsExactly("done");
    assertCountsAreRight();
    assertThat(moveAll(1, "read", 8_000)).hasSizeBetween(2, 10).endsWith("done");
    assertThat(number("SELECT read_seq FROM marker WHERE account_id = 1")).isEqualTo(9_000);
    assertThat(number("SELECT count(unread_from) FROM marker WHERE account_id = 1")).isZero();
    assertCountsAreRight();
  }

  @Test
  void aMarkGoesTenThousandMessagesAtMostInEitherDirection() {
    sayMuch();
    postgres.execute(
        """
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT 1, i, i, i, 2, now(), 'c', 'text', 'x' FROM generate_series(12001, 40000) i;
        UPDATE room_position SET last_seq = 40000, last_rev = 40000, countable = 40000 WHERE room_id = 1;
        UPDATE room_member m SET sent = (SELECT count(*) FROM message x WHERE x.sender_id = m.account_id)
          WHERE m.room_id = 1;
        """);
    moveAll(1, "read", 25_000);
    assertThat(moveAll(1, "unread", 14_000)).containsExactly("too_far");
    assertThat(moveAll(1, "unread", 16_000)).containsExactly("done");
    assertThat(moveAll(1, "unread", 6_000)).containsExactly("done");
    assertThat(moveAll(1, "unread", 17_000)).containsExactly("too_far");
    assertThat(moveAll(1, "unread", 15_000)).containsExactly("done");
    assertCountsAreRight();
  }

  @Test
  void aMentionOfAllIsCountedOnceAndByWhoeverIsNotBlocked() {
    postgres.execute(
        """
        INSERT INTO mention (account_id, room_id, seq, sender_id)
          VALUES (0, 1, 10, 2), (1, 1, 10, 2), (0, 1, 11, 2), (0, 1, 12, 3), (1, 1, 13, 3);
        UPDATE message SET sender_id = 3 WHERE seq IN (12, 13);
        UPDATE message SET mentions = ARRAY[0, 1] WHERE seq = 10;
        UPDATE message SET mentions = ARRAY[0] WHERE seq IN (11, 12);
        UPDATE message SET mentions = ARRAY[1] WHERE seq = 13;
        UPDATE room_member SET sent = CASE account_id WHEN 2 THEN 198 ELSE 2 END
          WHERE room_id = 1 AND account_id <> 1;
        UPDATE marker SET read_seq = 0, delivered_seq = 0, ordinal = 0, own = 0 WHERE room_id = 1;
        """);
    assertThat(number("SELECT mentions FROM unread_counts(1)")).isEqualTo(4);
    assertCountsAreRight();
    postgres.execute("INSERT INTO block (account_id, blocked_id) VALUES (1, 3)");
    assertThat(number("SELECT mentions FROM unread_counts(1)")).isEqualTo(3);
    assertCountsAreRight();
  }

  /// The third member leaves, as the last one of those for whom the room was too large.
  private void thirdLeaves() {
    postgres.execute("UPDATE room SET member_count = 33 WHERE room_id = 1");
    moveAll(1, "read", 120);
    moveAll(3, "read", 180);
    assertThat(number("SELECT count(*) FROM receipt")).isZero();
    run("SELECT end_membership(1, 3, 3, 'left')");
  }

  @Test
  void whereARoomHasReceiptsAgainTheyAreThoseOfItsMembers() {
    postgres.execute("UPDATE marker SET read_seq = 0, delivered_seq = 0, ordinal = 0, own = 0");
    thirdLeaves();
    assertThat(number("SELECT account_id FROM receipt")).isEqualTo(2);
    assertThat(number("SELECT read_seq FROM receipt")).isEqualTo(120);
    assertThat(number("SELECT delivered_seq FROM receipt")).isEqualTo(120);
    assertThat(number("SELECT markers FROM account_changes WHERE account_id = 2")).isPositive();
  }

  @Test
  void whoReadsInPrivateHidesOrJoinedLaterGivesNoReceiptThen() {
    postgres.execute(
        "UPDATE marker SET read_seq = 0, delivered_seq = 0, ordinal = 0, own = 0;"
            + "UPDATE account SET private_reading = true WHERE account_id = 1");
    thirdLeaves();
    assertThat(number("SELECT read_seq FROM receipt")).isZero();
    assertThat(number("SELECT delivered_seq FROM receipt")).isEqualTo(120);

    postgres.execute(
        "DELETE FROM receipt; UPDATE account SET private_reading = false;"
            + "UPDATE member_span SET from_rev = 150 WHERE account_id = 1");
    run("SELECT begin_receipts(1, 3)");
    assertThat(number("SELECT count(*) FROM receipt")).isZero();
    postgres.execute(
        "UPDATE member_span SET from_rev = 1;"
            + "UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = 1");
    run("SELECT begin_receipts(1, 3)");
    assertThat(number("SELECT count(*) FROM receipt")).isZero();
    postgres.execute(
        "UPDATE account SET presence_visible_to = 'everyone';"
            + "INSERT INTO block (account_id, blocked_id) VALUES (1, 2)");
    run("SELECT begin_receipts(1, 3)");
    assertThat(number("SELECT count(*) FROM receipt")).isZero();
  }

  @Test
  void ofTwoCountsThatOfTheLaterStateHasTheHigherVersionAndTellsTheLastMessage() {
    String news =
        "SELECT version, last_seq FROM unread_news(ARRAY[1::bigint], ARRAY[1::bigint],"
            + " ARRAY[NULL::bigint])";
    Row before = run(news).iterator().next();
    moveAll(1, "read", 120);
    Row after = run(news).iterator().next();
    assertThat(after.getLong("version")).isGreaterThan(before.getLong("version"));
    assertThat(after.getLong("last_seq")).isEqualTo(SAID);
    assertThat(run(news).iterator().next().getLong("version"))
        .isGreaterThanOrEqualTo(after.getLong("version"));
  }
}
