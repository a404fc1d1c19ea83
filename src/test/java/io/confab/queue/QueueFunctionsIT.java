package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.QueuedSend;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeCommand.AccountDeliveries;
import io.confab.queue.EnvelopeCommand.ReadDeliveries;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What becomes of what waits in queues.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueFunctionsIT {
  private final SealedWorld world;
  private final EnvelopeStore store;
  private final RecordingAnnouncer told = new RecordingAnnouncer();
  private final QueueWatch watch;
  private long next = 1;

  QueueFunctionsIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    this.store = world.store();
    this.watch = new QueueWatch(vertx, world.database(), told, new Meters());
  }

  @AfterEach
  void invariantsHold() {
    world.assertInvariants();
    get(watch.look());
    told.undelivered.clear();
  }

  @AfterAll
  void close() {
    world.close();
  }

  private long accounts(int count) {
    next += count;
    return next - count;
  }

  private void say(long room, long account, String device, String... ids) {
    for (String id : ids) {
      say(store, world.sending(room, account, device, id).saying(id));
    }
  }

  private static void say(EnvelopeStore store, EnvelopeDraft draft) {
    assertThat(get(store.append(List.of(draft))).getFirst())
        .isInstanceOf(EnvelopeOutcome.Stored.class);
  }

  private List<String> told() {
    get(watch.look());
    return told.undelivered.stream()
        .map(
            each ->
                each.sender().value()
                    + " "
                    + each.seq().value()
                    + " "
                    + each.account().value()
                    + " "
                    + each.reason().wire())
        .toList();
  }

  @Test
  void whatIsAcknowledgedGoesAndIsDelivered() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "d1", "1", "2", "3");
    world.ack(a + 1, "d1", 2);
    assertThat(world.queue(a + 1, "d1")).isEqualTo("3:3:/3");
    assertThat(world.spans(room, a + 1)).isEqualTo("1-2");
    world.ack(a + 1, "d1", 1);
    world.ack(a + 1, "d1", 99);
    assertThat(world.queue(a + 1, "d1")).isEmpty();
    assertThat(world.spans(room, a + 1)).isEqualTo("1-3");
    say(room, a, "d1", "4");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("4:4:/4");
  }

  @Test
  void ownMessagesInBetweenBreakNoRunAndThoseOfOthersDo() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    say(room, a, "d1", "1");
    say(room, a + 1, "d1", "2", "3");
    say(room, a, "d1", "4");
    world.ack(a + 1, "d1", 2);
    assertThat(world.spans(room, a + 1)).isEqualTo("1-4");
    // What is said while the account is no member does not reach it.
    world
        .postgres()
        .execute(
            "DELETE FROM room_member WHERE room_id = %d AND account_id = %d"
                .formatted(room, a + 1));
    say(room, a, "d1", "5");
    world
        .postgres()
        .execute(
            "INSERT INTO room_member (room_id, account_id, role, sent) VALUES (%d, %d, 'member', 2)"
                .formatted(room, a + 1));
    say(room, a, "d1", "6");
    world.ack(a + 1, "d1", 3);
    assertThat(world.spans(room, a + 1)).isEqualTo("1-4 6-6");
  }

  @Test
  void ofManyDevicesAcknowledgementsAreOneCall() {
    long a = accounts(4);
    long room = world.room(a, a + 3, 1);
    say(room, a, "d1", "1", "2");
    world
        .postgres()
        .execute(
            """
            SELECT ack_queues(array_agg(registration_id), array_agg(1::bigint)) FROM device_queue
             WHERE account_id BETWEEN %d AND %d\
            """
                .formatted(a, a + 3));
    assertThat(IntStream.rangeClosed(1, 3).mapToObj(i -> world.spans(room, a + i)))
        .containsOnly("1-1");
    assertThat(world.spans(room, a)).isEmpty();
  }

  @Test
  void whatIsOverKeepsItsNumberAndFailsOnceWhereNobodyGotIt() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 2);
    EnvelopeStore brief =
        world.store(TestConfig.queues(100, Duration.ofMillis(1), Duration.ofDays(1)));
    say(room, a, "d1", "1");
    say(brief, world.sending(room, a, "d1", "2").saying("2"));
    say(brief, world.sending(room, a, "d1", "s").silently("s"));
    say(room, a, "d1", "3");
    world.ack(a + 1, "d1", 2);

    assertThat(told()).containsExactly(a + " 2 " + (a + 2) + " expired");
    assertThat(told()).hasSize(1);
    assertThat(world.queue(a + 1, "d2")).isEqualTo("1:1:/1 2:-:/ 3:-:/ 4:3:/3");
    assertThat(world.failures(room)).isEqualTo((a + 2) + ":2:expired");
    world.ack(a + 2, "d1", 4);
    assertThat(world.spans(room, a + 2)).isEqualTo("1-1 3-3");
    assertThat(world.queue(a + 2, "d1")).isEmpty();
  }

  @Test
  void aTimerOfTheSenderOrOfTheRoomEndsItTooAndIsToldAsItsEnd() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    world.postgres().execute("UPDATE room SET expires_in_s = 100 WHERE room_id = " + room);
    say(store, world.sending(room, a, "d1", "room").saying("x"));
    say(store, world.sending(room, a, "d1", "own").draft(false, 40, "y"));
    assertThat(
            world
                .postgres()
                .text(
                    """
                    SELECT string_agg(round(extract(epoch FROM due_at - ts))::text || timed, ' ' ORDER BY room_seq)
                      FROM envelope_payload WHERE room_id = %d\
                    """
                        .formatted(room)))
        .isEqualTo("100true 40true");
  }

  @Test
  void whatAwaitedARemovedDeviceFailsWhereNoOtherHasIt() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    say(room, a, "d1", "1", "2");
    world.ack(a + 1, "d2", 1);
    world.removeDevice(a + 1, "d1");
    assertThat(world.failures(room)).isEmpty();
    world.removeDevice(a + 1, "d2");
    assertThat(world.failures(room)).isEqualTo((a + 1) + ":2:removed");
    assertThat(told()).containsExactly(a + " 2 " + (a + 1) + " removed");
    assertThat(
            world
                .postgres()
                .count("SELECT count(*) FROM device_queue WHERE account_id = " + (a + 1)))
        .isZero();
  }

  @Test
  void aboveThirtyTwoMembersWhatFailedIsReadAndNotTold() {
    long a = accounts(33);
    long small = world.room(a, a + 31, 1);
    long large = world.room(a, a + 32, 1);
    say(small, a, "d1", "small");
    say(large, a, "d1", "large");
    world.removeDevice(a + 1, "d1");
    assertThat(told()).containsExactly(a + " 1 " + (a + 1) + " removed");
    assertThat(told.undelivered).allMatch(each -> each.room().value() == small);
    assertThat(
            get(new DeliveryStore(world.database())
                    .read(new ReadDeliveries(new AccountId(a), new RoomId(large), new Seq(1))))
                .accounts())
        .extracting(each -> each.accountId().value())
        .containsExactly(a + 1);
  }

  @Test
  void aDeviceThatComesAgainBeginsANewQueue() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "d1", "1");
    long before = world.registration(a + 1, "d1");
    world.removeDevice(a + 1, "d1");
    world.addDevice(a + 1, "d1");
    say(room, a, "d1", "2");
    assertThat(world.registration(a + 1, "d1")).isGreaterThan(before);
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:2:/2");
  }

  @Test
  void whatADeviceCannotReadBecomesADeadLetterAndBlocksNothing() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    say(room, a, "d1", "1", "2");
    reject(a + 1, "d1", 1, true);
    assertThat(world.failures(room)).isEmpty();
    reject(a + 1, "d1", 1, false);
    reject(a + 1, "d2", 1, true);
    assertThat(world.failures(room)).isEqualTo((a + 1) + ":1:undecryptable");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:-:/ 2:2:/2");
    world.ack(a + 1, "d1", 2);
    assertThat(world.spans(room, a + 1)).isEqualTo("2-2");
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT count(*) FROM dead_letter WHERE reason = 'broken' AND account_id = "
                        + (a + 1)))
        .isEqualTo(2);
  }

  private void reject(long account, String device, long seq, boolean found) {
    assertThat(
            world
                .postgres()
                .text(
                    "SELECT reject_envelope(%d, %d, 'broken')"
                        .formatted(world.registration(account, device), seq)))
        .isEqualTo(found ? "t" : "f");
  }

  @Test
  void aDeviceThatDrainsNothingIsNoTargetUntilItComesBack() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    say(room, a, "d1", "1");
    world.ack(a + 1, "d2", 1);
    String before = world.digest(room);
    world
        .postgres()
        .execute(
            "UPDATE device_queue SET waits_since = now() - interval '2 d' WHERE account_id = "
                + (a + 1));
    assertThat(
            world
                .postgres()
                .text(
                    "SELECT string_agg(account_id || ' ' || version || ' ' || devices, ',') FROM"
                        + " make_dormant(86400000, 10)"))
        .isEqualTo((a + 1) + " 1 1");
    assertThat(world.digest(room)).isNotEqualTo(before);
    assertThat(drain(10)).isEqualTo(1);
    say(room, a, "d1", "2");
    assertThat(world.queue(a + 1, "d1")).isEmpty();
    assertThat(world.queue(a + 1, "d2")).isEqualTo("2:2:/2");

    assertThat(open(a + 1, "d1")).isEqualTo("1 1 2");
    assertThat(open(a + 1, "d1")).isEqualTo("1 1 -");
    say(room, a, "d1", "3");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("2:3:/3");
    assertThat(world.failures(room)).isEmpty();
  }

  /// Lengthens a queue.
  private void pile(long account, String device, int count) {
    world
        .postgres()
        .execute(
            """
            INSERT INTO envelope (registration_id, seq)
              SELECT q.registration_id, q.last_seq + n FROM device_queue q, generate_series(1, %2$d) n
               WHERE q.registration_id = %1$d;
            UPDATE device_queue SET last_seq = last_seq + %2$d WHERE registration_id = %1$d;
            """
                .formatted(world.registration(account, device), count));
  }

  private long drain(int most) {
    long taken = world.postgres().count("SELECT drain_queues(%d)".formatted(most));
    world.assertInvariants();
    return taken;
  }

  private void makeDormant(long account) {
    world
        .postgres()
        .execute(
            """
            UPDATE device_queue SET waits_since = now() - interval '2 d' WHERE account_id = %d;
            SELECT make_dormant(86400000, 500);
            """
                .formatted(account));
  }

  private String waiting(long account) {
    return world
        .postgres()
        .text(
            """
            SELECT string_agg(last_seq - gone_seq || CASE WHEN ended THEN ' ended' WHEN dormant THEN ' dormant' ELSE '' END,
                              ',' ORDER BY registration_id)
              FROM device_queue WHERE account_id = %d\
            """
                .formatted(account));
  }

  @Test
  void longQueuesOfDormantDevicesAreEmptiedInPortions() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    say(room, a, "d1", "1");
    pile(a + 1, "d1", 700);
    pile(a + 2, "d1", 700);
    say(room, a, "d1", "2");
    makeDormant(a + 1);
    makeDormant(a + 2);
    assertThat(List.of(waiting(a + 1), waiting(a + 2))).containsOnly("702 dormant");
    assertThat(drain(500)).isEqualTo(500);
    assertThat(List.of(waiting(a + 1), waiting(a + 2)))
        .containsExactly("202 dormant", "702 dormant");
    assertThat(world.failures(room)).isEqualTo((a + 1) + ":1:expired");
    assertThat(List.of(drain(500), drain(500), drain(500))).containsExactly(500L, 404L, 0L);
    assertThat(world.failures(room))
        .isEqualTo(
            "%1$d:1:expired %1$d:2:expired %2$d:1:expired %2$d:2:expired".formatted(a + 1, a + 2));
  }

  @Test
  void aDeviceThatComesBackGetsWhatIsLeft() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    pile(a + 1, "d1", 600);
    say(room, a, "d1", "1");
    makeDormant(a + 1);
    drain(500);
    assertThat(open(a + 1, "d1")).isEqualTo("500 601 2");
    assertThat(drain(500)).isZero();
    say(room, a, "d1", "2");
    world.ack(a + 1, "d1", 602);
    assertThat(world.spans(room, a + 1)).isEqualTo("1-2");
    assertThat(world.failures(room)).isEmpty();
  }

  @Test
  void aLongQueueOfARemovedDeviceIsEmptiedLaterAndReadByNobody() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    say(room, a, "d1", "1");
    pile(a + 1, "d1", 1_500);
    say(room, a, "d1", "2", "3");
    world.ack(a + 1, "d2", 2);
    long removed = world.registration(a + 1, "d1");
    world.removeDevice(a + 1, "d1");
    assertThat(waiting(a + 1)).isEqualTo("503 ended,1");
    world.assertInvariants();

    assertThat(
            get(
                new QueueStore(world.database())
                    .read(
                        List.of(
                            new QueueStore.From(new RegistrationId(removed), new QueueSeq(1_000))),
                        10,
                        1_000)))
        .isEmpty();
    world
        .postgres()
        .execute(
            "SELECT ack_queues(ARRAY[%1$d]::bigint[], ARRAY[1503]::bigint[]), reject_envelope(%1$d, 1503, 'x')"
                .formatted(removed));
    say(room, a, "d1", "4");
    assertThat(waiting(a + 1)).isEqualTo("503 ended,2");

    world.removeDevice(a + 1, "d2");
    assertThat(world.failures(room)).isEqualTo((a + 1) + ":4:removed");
    assertThat(List.of(drain(500), drain(500), drain(500))).containsExactly(500L, 3L, 0L);
    assertThat(world.failures(room)).isEqualTo("%1$d:3:removed %1$d:4:removed".formatted(a + 1));
    assertThat(
            world
                .postgres()
                .count("SELECT count(*) FROM device_queue WHERE account_id = " + (a + 1)))
        .isZero();
  }

  @Test
  void aQueueThatSomebodyHoldsKeepsNoOtherFromBeingEmptied() throws SQLException {
    long a = accounts(3);
    long room = world.room(a, a + 2, 2);
    say(room, a, "d1", "1", "2", "3");
    world.ack(a + 1, "d2", 3);
    world.ack(a + 2, "d2", 3);
    makeDormant(a + 1);
    makeDormant(a + 2);
    try (Connection other = TestDatabase.connect(world.postgres().url());
        Statement hold = other.createStatement()) {
      other.setAutoCommit(false);
      hold.execute(
          "SELECT FROM device_queue WHERE registration_id = %d FOR UPDATE"
              .formatted(world.registration(a + 1, "d2")));
      assertThat(drain(1)).isEqualTo(1);
      assertThat(List.of(waiting(a + 1), waiting(a + 2)))
          .containsExactly("3 dormant,0", "2 dormant,0");
      other.rollback();
    }
    assertThat(drain(1)).isEqualTo(1);
  }

  private String open(long account, String device) {
    return world
        .postgres()
        .text(
            """
            SELECT gone_seq || ' ' || last_seq || ' ' || coalesce(version::text, '-')
              FROM open_queues(ARRAY[%d]::bigint[], ARRAY['%s']) o
              LEFT JOIN LATERAL return_queues(ARRAY[o.registration_id]) ON o.away\
            """
                .formatted(account, device));
  }

  @Test
  void lettersGoWithTheirAccount() {
    long a = accounts(2);
    for (long account : List.of(a, a + 1)) {
      world.run(
          "INSERT INTO dead_letter (account_id, device_id, reason, content) VALUES (%d, 'd', 'r', 'c')"
              .formatted(account));
    }
    world.run("SELECT forget_keys(%d)".formatted(a));
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT sum(account_id) FROM dead_letter WHERE account_id BETWEEN %d AND %d"
                        .formatted(a, a + 1)))
        .isEqualTo(a + 1);
  }

  @Test
  void pagesEndBeforeWhatIsDueAndBySizeAndNumber() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "d1", "11111", "22222", "33333");
    assertThat(page(a + 1, 0, 10, 1_000)).isEqualTo("1/11111 2/22222 3/33333");
    assertThat(page(a + 1, 1, 1, 1_000)).isEqualTo("2/22222");
    assertThat(page(a + 1, 0, 10, 6)).isEqualTo("1/11111 2/22222");
    world
        .postgres()
        .execute(
            "UPDATE envelope_payload SET due_at = now() WHERE room_seq = 2 AND room_id = " + room);
    assertThat(page(a + 1, 0, 10, 1_000)).isEqualTo("1/11111 2/due");
    get(watch.look());
    assertThat(page(a + 1, 0, 10, 1_000)).isEqualTo("1/11111 2/gone 3/33333");
  }

  private String page(long account, long after, int most, int bytes) {
    return world
        .postgres()
        .text(
            """
            SELECT string_agg(seq || '/' || CASE WHEN due THEN 'due' WHEN payload_id IS NULL THEN 'gone' ELSE payload END,
                              ' ' ORDER BY seq)
              FROM read_queues(ARRAY[%d]::bigint[], ARRAY[%d]::bigint[], %d, %d)\
            """
                .formatted(world.registration(account, "d1"), after, most, bytes));
  }

  @Test
  void aQueueIsWokenOnceUntilItIsEmpty() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "d1", "1");
    assertThat(wake(a + 1)).isEqualTo(1);
    say(room, a, "d1", "2");
    assertThat(wake(a + 1)).isZero();
    world.ack(a + 1, "d1", 1);
    assertThat(wake(a + 1)).isZero();
    world.ack(a + 1, "d1", 2);
    assertThat(wake(a + 1)).isZero();
    say(room, a, "d1", "3");
    assertThat(wake(a + 1)).isEqualTo(1);
  }

  @Test
  void silentSendsWakeNobodyAndHideNothingThatDoes() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    assertThat(isFirst(world.sending(room, a, "d1", "1").silently("1"))).isFalse();
    assertThat(wake(a + 1)).isZero();
    assertThat(isForgotten(a + 1)).isFalse();
    assertThat(isFirst(world.sending(room, a, "d1", "2").saying("2"))).isTrue();
    assertThat(isFirst(world.sending(room, a, "d1", "3").saying("3"))).isFalse();
    assertThat(wake(a + 1)).isEqualTo(1);
    world.ack(a + 1, "d1", 2);
    assertThat(isFirst(world.sending(room, a, "d1", "4").silently("4"))).isFalse();
    world.ack(a + 1, "d1", 3);
    assertThat(wake(a + 1)).isZero();
    assertThat(isFirst(world.sending(room, a, "d1", "5").saying("5"))).isTrue();
    assertThat(isForgotten(a + 1)).isTrue();
    assertThat(wake(a + 1)).isEqualTo(1);
    assertThat(isForgotten(a + 1)).isFalse();
  }

  private boolean isFirst(EnvelopeDraft draft) {
    return get(store.append(List.of(draft))).getFirst()
            instanceof EnvelopeOutcome.Stored(_, _, List<QueuedSend> queued)
        && queued.getFirst().places().getFirst().first();
  }

  private boolean isForgotten(long account) {
    RegistrationId registration = new RegistrationId(world.registration(account, "d1"));
    return get(new WakeStore(world.database(), Duration.ZERO).forgotten(Duration.ZERO, 1_000))
        .contains(registration);
  }

  /// Claims it, and says that it was woken.
  private long wake(long account) {
    long registration = world.registration(account, "d1");
    long claimed =
        world
            .postgres()
            .count(
                """
                SELECT count(woken_until) FROM wake_queues(ARRAY[%d]::bigint[], 0, '{}', '{}')\
                """
                    .formatted(registration));
    world
        .postgres()
        .count(
            """
            SELECT count(*) FROM wake_queues('{}', 0, ARRAY[%1$d]::bigint[],
                ARRAY(SELECT q.woken_until FROM device_queue q WHERE q.registration_id = %1$d))\
            """
                .formatted(registration));
    return claimed;
  }

  @Test
  void sendersReadWhatBecameOfTheirOwnMessages() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    say(room, a, "d1", "1");
    say(room, a + 1, "d1", "2");
    say(room, a, "d1", "3", "4");
    world.ack(a + 1, "d1", 2);
    world.removeDevice(a + 2, "d1");
    List<AccountDeliveries> all =
        get(new DeliveryStore(world.database())
                .read(new ReadDeliveries(new AccountId(a), new RoomId(room), new Seq(1))))
            .accounts();
    assertThat(all)
        .filteredOn(each -> each.accountId().value() == a + 1)
        .first()
        .extracting(AccountDeliveries::delivered)
        .isEqualTo(List.of(List.of(new Seq(1), new Seq(3))));
    assertThat(all)
        .filteredOn(each -> each.accountId().value() == a + 2)
        .first()
        .extracting(each -> each.failed().toString())
        .asString()
        .contains("seq=1", "seq=3", "seq=4", "REMOVED");
  }
}
