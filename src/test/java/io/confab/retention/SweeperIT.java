package io.confab.retention;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.account.AccountDomain;
import io.confab.message.Chat;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.room.RoomDomain;
import io.confab.testing.Futures;
import io.confab.testing.LogLines;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is over goes and nothing else, by one node at a time.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SweeperIT {
  private static final Timing WITHOUT_RESTS =
      new Timing() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public Future<Void> pause(Duration duration) {
          return Future.succeededFuture();
        }
      };

  /// A portion that takes as long as somebody holds this.
  private static final long HELD = 42;

  private final TestDatabase database = TestDatabase.create();
  private final Database one;
  private final Database two;

  SweeperIT(Vertx vertx) {
    one = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    two = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
  }

  @BeforeEach
  void people() {
    database.execute(Chat.room(10, "group", 1, 5));
  }

  @AfterEach
  void close() {
    get(one.close());
    get(two.close());
    database.close();
  }

  private static List<Rule> rules(Database database) {
    return Stream.concat(
            AccountDomain.retention(database, TestConfig.retention()).stream(),
            RoomDomain.retention(database, TestConfig.retention()).stream())
        .toList();
  }

  private static Sweeper sweeper(Database database, long nonce, List<Rule> rules) {
    return new Sweeper(WITHOUT_RESTS, database, nonce, rules, new Meters());
  }

  private void sweep() {
    again();
    get(sweeper(one, 1, rules(one)).sweep());
    assertThat(database.count("SELECT count(swept_at) FROM sweep")).as("whole").isOne();
  }

  /// As if a minute had passed.
  private void again() {
    database.execute("UPDATE sweep SET swept_at = NULL");
  }

  private void device(String device, String family) {
    database.execute(
        """
        INSERT INTO device (account_id, device_id, name, platform, family_id)
        VALUES (1, '%s', 'n', 'p', %s)
        """
            .formatted(device, family));
  }

  private static String family(int number) {
    return "'00000000-0000-0000-0000-00000000000%d'::uuid".formatted(number);
  }

  private void token(String hash, String device, String family, String expiry, boolean spent) {
    database.execute(
        """
        INSERT INTO refresh_token (token_hash, account_id, device_id, family_id, expires_at, spent_at)
        VALUES ('%s', 1, '%s', %s, now() + interval '%s', %s)
        """
            .formatted(hash, device, family, expiry, spent ? "now()" : "NULL"));
  }

  private List<String> left(String table, String column) {
    return column("SELECT %s::text FROM %s ORDER BY 1".formatted(column, table));
  }

  private List<String> column(String query) {
    try (Connection connection = TestDatabase.connect(database.url());
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tokensGoADayAfterTheyExpiredAndTheLastOneEndsItsSignIn() {
    device("over", family(1));
    token("over, spent", "over", family(1), "-40 days", true);
    token("over, last", "over", family(1), "-25 hours", false);
    device("lately", family(2));
    token("lately", "lately", family(2), "-23 hours", false);
    device("signed in", family(3));
    token("spent long ago", "signed in", family(3), "-2 days", true);
    token("good", "signed in", family(3), "1 hour", false);
    token("of a former sign-in", "signed in", family(4), "-2 days", false);
    device("without tokens", family(5));
    long before = changes();

    sweep();

    assertThat(left("refresh_token", "convert_from(token_hash, 'UTF8')"))
        .containsExactly("good", "lately");
    assertThat(left("device WHERE family_id IS NOT NULL", "device_id"))
        .containsExactly("lately", "signed in", "without tokens");
    assertThat(changes()).as("so that its sessions notice").isEqualTo(before + 1);
    assertThat(database.count("SELECT count(signed_out_at) FROM device")).isOne();
  }

  private long changes() {
    return database.count("SELECT coalesce(sum(number), 0)::bigint FROM account_changes");
  }

  @Test
  void aDeviceGoesThirtyDaysAfterItSignedOut() {
    for (String device : List.of("over", "lately", "back", "signed in", "with keys")) {
      device(device, family(1));
    }
    database.execute("UPDATE device SET has_keys = true WHERE device_id = 'with keys'");
    database.execute("UPDATE device SET seen_at = now() - interval '100 days'");
    database.execute("UPDATE device SET family_id = NULL WHERE device_id <> 'signed in'");
    age("device WHERE device_id <> 'lately'", "signed_out_at", "30 days 1 second");
    age("device WHERE device_id = 'lately'", "signed_out_at", "29 days 23 hours");
    database.execute(
        "UPDATE device SET family_id = %s WHERE device_id = 'back'".formatted(family(2)));
    token("old", "over", family(1), "1 hour", true);

    sweep();

    assertThat(left("device", "device_id"))
        .containsExactly("back", "lately", "signed in", "with keys");
    assertThat(left("refresh_token", "account_id")).isEmpty();
  }

  private void age(String where, String column, String age) {
    String[] parts = where.split(" WHERE ", 2);
    database.execute(
        "UPDATE %s SET %s = now() - interval '%s' WHERE %s"
            .formatted(parts[0], column, age, parts[1]));
  }

  @Test
  void ticketsAndAnswersGo() {
    device("d", family(1));
    ticket("over", "-1 second");
    ticket("good", "1 minute");
    database.execute(
        """
        INSERT INTO kept_answer (caller_id, call_hash, body_hash, seed, lease_until, begun_at)
        SELECT 1, hash, '', 1, now(), now() - age::interval
          FROM (VALUES ('over', '24 hours 1 second'), ('good', '23 hours')) a (hash, age)
        """);

    sweep();

    assertThat(left("ticket", "convert_from(ticket_hash, 'UTF8')")).containsExactly("good");
    assertThat(left("kept_answer", "call_hash")).containsExactly("good");
  }

  private void ticket(String hash, String expiry) {
    database.execute(
        """
        INSERT INTO ticket (ticket_hash, account_id, device_id, family_id, expires_at)
        VALUES ('%s', 1, 'd', %s, now() + interval '%s')
        """
            .formatted(hash, family(1), expiry));
  }

  @Test
  void mutesAndClosedInvitationsGo() {
    database.execute(
        """
        INSERT INTO room_mute VALUES (10, 1, now() - interval '1 second'),
          (10, 2, now() + interval '1 minute'), (10, 3, 'infinity');
        INSERT INTO invitation (account_id, room_id, invited_by, open, changed_at, ts)
        VALUES (1, 10, 5, false, now() - interval '49 hours', now() - interval '49 hours'),
          (2, 10, 5, false, now() - interval '47 hours', now() - interval '47 hours'),
          (3, 10, 5, true, now() - interval '29 days', now() - interval '29 days')
        """);

    sweep();

    assertThat(left("room_mute", "account_id")).containsExactly("2", "3");
    assertThat(left("invitation", "account_id")).containsExactly("2", "3");
  }

  @Test
  void auditEntriesGoAfterFourHundredDaysOfArchivedRoomsToo() {
    audit("over", "400 days 1 second");
    audit("good", "399 days");
    database.execute(
        """
        UPDATE room SET archived_at = now() - interval '500 days';
        UPDATE room_position SET archived = true
        """);

    sweep();

    assertThat(left("room_audit", "action")).containsExactly("good");
  }

  private void audit(String action, String age) {
    database.execute(
        """
        INSERT INTO room_audit (room_id, actor_id, action, ts)
        VALUES (10, 1, '%s', now() - interval '%s')
        """
            .formatted(action, age));
  }

  /// Whoever gets a statement of their own in removes no traces.
  @Test
  void noNodeRemovesAuditEntriesYoungerThanThirtyDays() {
    audit("over", "30 days 1 second");
    audit("young", "29 days 23 hours");
    audit("of now", "0 s");

    for (long kept : new long[] {0, -1L << 40}) {
      get(one.client().query("SELECT forget_audit(%d, 100)".formatted(kept)).execute());
    }

    assertThat(left("room_audit", "action")).containsExactly("of now", "young");
  }

  /// The function has the rights of the owner, and must not find what its caller put in its way.
  @Test
  void theFunctionOfTheOwnerLooksInItsOwnSchemaAlone() {
    assertThat(
            column(
                "SELECT array_to_string(proconfig, ',') FROM pg_proc WHERE proname = 'forget_audit'"))
        .containsExactly("search_path=public, pg_temp");
    assertThat(
            database.count(
                "SELECT count(*) FROM pg_proc WHERE prosecdef AND proconfig IS NULL"
                    + " AND pronamespace = 'public'::regnamespace"))
        .isZero();
  }

  @Test
  void manyGoInPortions() {
    device("d", family(1));
    tickets(1_234);
    List<Integer> portions = new CopyOnWriteArrayList<>();

    get(sweeper(one, 1, List.of(counting(tickets(one), portions))).sweep());

    assertThat(portions).containsExactly(500, 500, 234);
    assertThat(left("ticket", "ticket_hash")).isEmpty();
  }

  private void tickets(int count) {
    database.execute(
        """
        INSERT INTO ticket (ticket_hash, account_id, device_id, family_id, expires_at)
        SELECT int4send(i), 1, 'd', %s, now() - i * interval '1 ms' FROM generate_series(1, %d) i
        """
            .formatted(family(1), count));
  }

  private static Rule tickets(Database database) {
    return rule(database, Swept.TICKETS);
  }

  private static Rule rule(Database database, Swept what) {
    return rules(database).stream().filter(rule -> rule.what() == what).findFirst().orElseThrow();
  }

  private static Rule counting(Rule rule, List<Integer> portions) {
    return new Rule(
        rule.what(),
        (transaction, most) -> rule.portion().remove(transaction, most).onSuccess(portions::add));
  }

  @Test
  void ofTwoNodesOneWorksAtATimeAndEachRowGoesOnce() {
    device("d", family(1));
    tickets(20_000);
    AtomicInteger working = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Integer> portions = new CopyOnWriteArrayList<>();
    List<Sweeper> nodes =
        Stream.of(one, two)
            .map(
                node ->
                    sweeper(
                        node,
                        node == one ? 1 : 2,
                        List.of(watched(counting(tickets(node), portions), working, most))))
            .toList();

    while (database.count("SELECT count(*) FROM ticket") > 0) {
      List<Future<Void>> runs = new ArrayList<>();
      for (Sweeper node : nodes) {
        runs.add(node.sweep());
        database.execute("UPDATE sweep SET held_until = '-infinity'"); // the other one takes it
      }
      runs.forEach(Futures::get);
    }

    assertThat(most).hasValue(1);
    assertThat(portions.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20_000);
  }

  private static Rule watched(Rule rule, AtomicInteger working, AtomicInteger most) {
    return new Rule(
        rule.what(),
        (transaction, portion) -> {
          most.accumulateAndGet(working.incrementAndGet(), Math::max);
          return rule.portion()
              .remove(transaction, portion)
              .onComplete(_ -> working.decrementAndGet());
        });
  }

  @Test
  void aNodeThatLostItsTurnRemovesNothingMore() {
    device("d", family(1));
    tickets(3);
    SweepStore first = new SweepStore(one, 1);
    SweepStore second = new SweepStore(two, 2);
    assertThat(get(first.begin()).taken()).isTrue();
    assertThat(get(second.begin()).taken()).isFalse();

    database.execute("UPDATE sweep SET held_until = now()"); // the first node stood still
    assertThat(get(second.begin()).taken()).isTrue();

    assertThat(get(first.remove(tickets(one), 1))).isEmpty();
    assertThat(get(first.end(true))).as("says nothing about the second").isZero();
    assertThat(get(second.remove(tickets(two), 2))).isEqualTo(OptionalInt.of(2));
    assertThat(get(second.end(true))).isPositive();
    assertThat(get(first.begin()).taken()).as("all was removed a moment ago").isFalse();
    assertThat(get(first.begin()).sweptAt()).isPositive();
  }

  @Test
  void nobodyWorksBesideANodeWhoseLeaseEndedWhileItWorks() throws SQLException {
    SweepStore first = new SweepStore(one, 1);
    assertThat(get(first.begin()).taken()).isTrue();
    database.execute("UPDATE sweep SET held_until = '-infinity'");
    try (Connection holder = hold()) {
      Future<OptionalInt> working = first.remove(lasting(), 1);
      await().until(() -> waiting() == 1);

      assertThat(get(new SweepStore(two, 2).begin()).taken()).isFalse();

      holder.close();
      assertThat(get(working)).isPresent();
    }
  }

  @Test
  void aNodeThatDiesInTheMidstLeavesNoLockAndNothingHalfDone() throws SQLException {
    device("d", family(1));
    tickets(3);
    SweepStore first = new SweepStore(one, 1);
    assertThat(get(first.begin()).taken()).isTrue();
    try (Connection _ = hold()) {
      Future<OptionalInt> working = first.remove(lasting(), 2);
      await().until(() -> waiting() == 1);
      database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT"
              + " granted AND objid = "
              + HELD);

      assertThatThrownBy(() -> get(working)).isNotNull();
    }
    assertThat(left("ticket", "ticket_hash")).hasSize(3);

    database.execute("UPDATE sweep SET held_until = held_until - interval '30 s'");
    get(sweeper(two, 2, rules(two)).sweep());
    assertThat(left("ticket", "ticket_hash")).isEmpty();
  }

  /// Removes tickets and then waits for what [#hold] holds.
  private Rule lasting() {
    Rule tickets = tickets(one);
    return new Rule(
        Swept.TICKETS,
        (transaction, most) ->
            tickets
                .portion()
                .remove(transaction, most)
                .compose(
                    removed ->
                        transaction
                            .query("SELECT pg_advisory_xact_lock(%d)".formatted(HELD))
                            .execute()
                            .map(removed)));
  }

  private Connection hold() throws SQLException {
    Connection holder = TestDatabase.connect(database.url());
    try (Statement statement = holder.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(%d)".formatted(HELD));
    }
    return holder;
  }

  private long waiting() {
    return database.count(
        """
        SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ticket", "device", "refresh_token", "kept_answer", "room_mute", "room_audit"})
  void whatOthersHoldIsLeftForAnotherTime(String table) throws SQLException {
    device("d", family(1));
    ticket("over", "-1 second");
    token("over", "d", family(1), "-2 days", false);
    device("out", "NULL");
    database.execute(
        "UPDATE device SET signed_out_at = now() - interval '31 days' WHERE device_id = 'out'");
    database.execute(
        """
        INSERT INTO kept_answer (caller_id, call_hash, body_hash, seed, lease_until, begun_at)
          VALUES (1, 'over', '', 1, now(), now() - interval '2 days');
        INSERT INTO room_mute VALUES (10, 1, now() - interval '1 second')
        """);
    audit("over", "401 days");
    try (Connection holder = TestDatabase.connect(database.url());
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT FROM " + table + " FOR UPDATE");
      long held = database.count("SELECT count(*) FROM " + table);

      sweep();

      assertThat(database.count("SELECT count(*) FROM " + table)).isEqualTo(held);
      holder.rollback();
    }

    sweep();

    assertThat(
            Stream.of("ticket", "refresh_token", "kept_answer", "room_mute", "room_audit")
                .filter(each -> database.count("SELECT count(*) FROM " + each) > 0))
        .isEmpty();
    assertThat(left("device", "device_id")).as("signed out now").containsExactly("d");
    assertThat(database.count("SELECT count(family_id) FROM device")).isZero();
  }

  @Test
  void whatFailsIsLoggedOnceLeavesTheOthersAndIsTriedAgain() {
    device("d", family(1));
    tickets(3);
    AtomicBoolean fails = new AtomicBoolean(true);
    Rule audit = rule(one, Swept.AUDIT);
    Meters meters = new Meters();
    Sweeper sweeper =
        new Sweeper(
            WITHOUT_RESTS,
            one,
            1,
            List.of(
                new Rule(
                    Swept.AUDIT,
                    (transaction, most) ->
                        fails.get()
                            ? transaction.query("SELECT 1 / 0").execute().map(0)
                            : audit.portion().remove(transaction, most)),
                tickets(one)),
            meters);
    try (LogLines log = new LogLines(Sweeper.class.getName())) {
      get(sweeper.sweep());
      get(sweeper.sweep());
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("WARN Rows that are over stay, rule audit: ")
          .contains("division by zero");
    }
    assertThat(left("ticket", "ticket_hash")).isEmpty();
    assertThat(meters.scrape())
        .contains("confab_rows_removed_total{rule=\"tickets\"} 3.0", "confab_swept_seconds 0.0");

    fails.set(false);
    get(sweeper.sweep());
    assertThat(meters.scrape()).doesNotContain("confab_swept_seconds 0.0");
  }

  @Test
  void aClosedSweeperBeginsNoFurtherPortion() {
    device("d", family(1));
    tickets(1_100);
    List<Integer> portions = new CopyOnWriteArrayList<>();
    Rule counting = counting(tickets(one), portions);
    AtomicBoolean first = new AtomicBoolean(true);
    Sweeper[] sweeper = new Sweeper[1];
    sweeper[0] =
        sweeper(
            one,
            1,
            List.of(
                new Rule(
                    Swept.TICKETS,
                    (transaction, most) -> {
                      if (first.getAndSet(false)) {
                        sweeper[0].close();
                      }
                      return counting.portion().remove(transaction, most);
                    })));

    get(sweeper[0].sweep());

    assertThat(portions).containsExactly(500);
    assertThat(database.count("SELECT count(holder) FROM sweep")).as("given back").isZero();
    assertThat(database.count("SELECT count(swept_at) FROM sweep")).as("not whole").isZero();
  }

  @Test
  void aNodeSweepsByItself(@TempDir Path folder) {
    device("d", family(1));
    tickets(3);
    audit("over", "401 days");

    try (Node _ =
        Node.start(
            TestConfig.with(
                TestConfig.patient(
                    TestConfig.onServers(
                        TestConfig.node(folder), database.url().text(), TestServers.redis())),
                "redis.key_prefix",
                "sweeper-it:"))) {
      await().until(() -> database.count("SELECT count(swept_at) FROM sweep") == 1);
    }

    assertThat(left("ticket", "ticket_hash")).isEmpty();
    assertThat(left("room_audit", "action")).isEmpty();
  }
}
