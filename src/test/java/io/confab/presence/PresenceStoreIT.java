package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.RoomId;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Ann is account 1, Bob 2; room 7 is theirs.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PresenceStoreIT {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);
  private static final AccountId NOBODY = new AccountId(99);
  private static final NodeId NODE = new NodeId("n");

  private final TestDatabase schema = TestDatabase.create();
  private final Database database;
  private final PresenceStore store;

  PresenceStoreIT(Vertx vertx) {
    this.database = new Database(vertx, schema.nodeUrl(), TestConfig.postgres());
    this.store = new PresenceStore(database);
  }

  @BeforeEach
  void populate() {
    schema.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          VALUES (1, 'ann', 'Ann'), (2, 'bob', 'Bob'), (3, 'cleo', 'Cleo')
        """);
    schema.execute(
        "INSERT INTO room (room_id, type, name, member_count) VALUES (7, 'group', 'Tea', 2)");
    schema.execute("INSERT INTO room_position (room_id) VALUES (7)");
    schema.execute(
        """
        INSERT INTO room_member (room_id, account_id, role)
          VALUES (7, 1, 'owner'), (7, 2, 'member')
        """);
  }

  @AfterEach
  void close() {
    database.close().await();
    schema.close();
  }

  private Sight sight(AccountId viewer, AccountId account) {
    return store.look(List.of(viewer), List.of(account)).await().getFirst();
  }

  @Test
  void eachChoiceOfAStatusHasTheNextNumber() {
    assertThat(choose(ANN, PresenceStatus.AWAY)).isEqualTo(1);
    assertThat(choose(ANN, PresenceStatus.ONLINE)).isEqualTo(2);
    assertThat(choose(BOB, PresenceStatus.AWAY)).isEqualTo(1);
    assertThat(schema.count("SELECT count(*) FROM account_changes WHERE status = 'online'"))
        .isEqualTo(1);
  }

  private long choose(AccountId account, PresenceStatus status) {
    return store.choose(account, status, Future::succeededFuture).await();
  }

  private boolean seesAnn(AccountId viewer) {
    return sight(viewer, ANN).presence();
  }

  @Test
  void settingsAndBlocksSayWhoMayKnow() {
    AccountId cleo = new AccountId(3);
    assertThat(seesAnn(BOB)).isTrue();
    assertThat(seesAnn(cleo)).isFalse();
    schema.execute("UPDATE account SET presence_visible_to = 'everyone' WHERE account_id = 1");
    assertThat(seesAnn(cleo)).isTrue();
    schema.execute("INSERT INTO block (account_id, blocked_id) VALUES (1, 3)");
    assertThat(seesAnn(cleo)).isFalse();
    schema.execute("UPDATE account SET presence_visible_to = 'everyone' WHERE account_id = 3");
    assertThat(sight(ANN, cleo).presence()).as("whom one blocked is not hidden").isTrue();
    schema.execute("UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = 1");
    assertThat(seesAnn(BOB)).isFalse();
    assertThat(seesAnn(ANN)).isTrue();
    schema.execute("UPDATE account SET removed_at = now() WHERE account_id = 1");
    assertThat(seesAnn(ANN)).isFalse();
    assertThat(sight(BOB, NOBODY)).isEqualTo(Sight.NOTHING);
  }

  @Test
  void answersHaveTheOrderOfThePairs() {
    schema.execute("UPDATE account SET presence_visible_to = 'everyone' WHERE account_id = 3");
    assertThat(
            store
                .look(
                    List.of(BOB, new AccountId(3), ANN, BOB),
                    List.of(NOBODY, ANN, new AccountId(3), ANN))
                .await())
        .extracting(Sight::presence)
        .containsExactly(false, false, true, true);
  }

  @Test
  void lastSeenHasASettingOfItsOwn() {
    schema.execute("UPDATE account SET last_seen_visible_to = 'nobody' WHERE account_id = 1");
    assertThat(sight(BOB, ANN).presence()).isTrue();
    assertThat(sight(BOB, ANN).lastSeen()).isFalse();
    schema.execute(
        """
        UPDATE account SET presence_visible_to = 'nobody', last_seen_visible_to = 'everyone'
         WHERE account_id = 1
        """);
    assertThat(sight(BOB, ANN).lastSeen()).as("it would tell of presence").isFalse();
  }

  private void write(NodeId by, List<Transition> transitions) {
    store.write(transitions.stream().map(each -> new PresenceLog.Entry(by, each)).toList()).await();
  }

  @Test
  void theLogKeepsTransitionsAndTheLastOfEach() {
    long now = Instant.now().toEpochMilli();
    write(
        NODE,
        List.of(
            new Transition(ANN, PresenceStatus.ONLINE, now, 1),
            new Transition(BOB, PresenceStatus.AWAY, now, 2),
            new Transition(ANN, PresenceStatus.OFFLINE, now + 1, 3)));
    write(new NodeId("other"), List.of(new Transition(ANN, PresenceStatus.AWAY, now - 5, 0)));
    assertThat(store.last(List.of(ANN, BOB, NOBODY)).await())
        .containsOnly(Map.entry(ANN, PresenceStatus.OFFLINE), Map.entry(BOB, PresenceStatus.AWAY));
    assertThat(sight(BOB, ANN).seenAt()).isEqualTo(now + 1);
    assertThat(schema.count("SELECT count(*) FROM presence_event WHERE node = 'n'")).isEqualTo(3);
    assertThat(schema.count("SELECT count(*) FROM presence_event WHERE node = 'other'"))
        .isEqualTo(1);
  }

  private void toggle(int times, long from) {
    write(
        NODE,
        LongStream.range(0, times)
            .mapToObj(
                i ->
                    new Transition(
                        ANN, i % 2 == 0 ? PresenceStatus.AWAY : PresenceStatus.ONLINE, from + i, i))
            .toList());
  }

  @Test
  void theLogTakesSoMuchOfAnAccountADay() {
    long day = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();
    toggle(PresenceStore.MOST_LOGGED - 10, day);
    toggle(20, day + 10_000);
    toggle(20, day + 20_000);
    assertThat(schema.count("SELECT count(*) FROM presence_event"))
        .isEqualTo(PresenceStore.MOST_LOGGED);
    assertThat(sight(BOB, ANN).seenAt()).as("what became of it last").isEqualTo(day + 20_019);
    write(NODE, List.of(new Transition(BOB, PresenceStatus.ONLINE, day + 30_000, 1)));
    toggle(20, day + Duration.ofDays(1).toMillis());
    toggle(20, day + Duration.ofDays(1).toMillis() + 10_000);
    assertThat(schema.count("SELECT count(*) FROM presence_event"))
        .as("others, and the next day")
        .isEqualTo(PresenceStore.MOST_LOGGED + 41);
  }

  @Test
  void partitionsAreMadeFilledAndDropped() {
    schema.execute(
        """
        INSERT INTO presence_event VALUES
          (1, now(), 'n', 'online'), (1, now() - interval '40 days', 'n', 'online'),
          (1, now() - interval '3 days', 'n', 'online')
        """);
    schema.execute(
        """
        CREATE TABLE presence_event_20200101 PARTITION OF presence_event
          FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')
        """);
    store.keepPartitions(Duration.ofDays(30)).await();
    store.keepPartitions(Duration.ofDays(30)).await();
    assertThat(schema.count("SELECT count(*) FROM presence_event")).isEqualTo(2);
    assertThat(schema.count("SELECT count(*) FROM presence_event_default")).isOne();
    assertThat(
            schema.count(
                """
                SELECT count(*) FROM pg_inherits
                 WHERE inhparent = 'presence_event'::regclass
                """))
        .as("three days and the default one")
        .isEqualTo(4);
  }

  @Test
  void aCountCarriesNoBlocksOfOthersThanMembers() {
    schema.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
        SELECT g, 'stranger' || g, 'S' FROM generate_series(1000, 1999) g
        """);
    schema.execute(
        "INSERT INTO block (account_id, blocked_id) SELECT 1, g FROM generate_series(1000, 1999)"
            + " g");
    schema.execute("INSERT INTO block (account_id, blocked_id) VALUES (1, 2)");
    assertThat(store.shown(new RoomId(7), null, 100).await())
        .containsExactlyInAnyOrder(
            new PresenceStore.Shown(ANN, List.of(BOB)), new PresenceStore.Shown(BOB, List.of()));
  }

  @Test
  void membersAreShownPageByPage() {
    RoomId tea = new RoomId(7);
    List<PresenceStore.Shown> first = store.shown(tea, null, 1).await();
    List<PresenceStore.Shown> second = store.shown(tea, first.getFirst().account(), 1).await();
    assertThat(List.of(first.getFirst().account(), second.getFirst().account()))
        .containsExactly(ANN, BOB);
    assertThat(store.shown(tea, BOB, 1).await()).isEmpty();
  }

  @Test
  void membershipsAreFoundPairByPair() {
    RoomId tea = new RoomId(7);
    assertThat(
            store
                .memberships(List.of(NOBODY, ANN, BOB, ANN), List.of(tea, tea, tea, new RoomId(8)))
                .await())
        .containsExactly(false, true, true, false);
  }

  @Test
  void whoHidesFromAllIsInNoCount() {
    schema.execute("INSERT INTO block (account_id, blocked_id) VALUES (1, 2)");
    schema.execute("UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = 2");
    assertThat(store.shown(new RoomId(7), null, 100).await())
        .containsExactly(new PresenceStore.Shown(ANN, List.of(BOB)));
  }

  @Test
  void aTextIsKeptAndTakenAway() {
    long first = changeText("Hi");
    assertThat(sight(BOB, ANN).text()).isEqualTo("Hi");
    assertThat(changeText("")).isGreaterThan(first);
    assertThat(sight(BOB, ANN).text()).isEmpty();
  }

  private long changeText(String text) {
    return store.changeText(ANN, text, Future::succeededFuture).await();
  }
}
