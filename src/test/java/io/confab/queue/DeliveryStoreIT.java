package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeCommand.AccountDeliveries;
import io.confab.queue.EnvelopeCommand.ReadDeliveries;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What senders read of their messages at somebody else.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveryStoreIT {
  private final SealedWorld world;
  private final EnvelopeStore sends;
  private final DeliveryStore store;

  /// Accounts of a test are its own.
  private long next = 1;

  DeliveryStoreIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    this.sends = world.store();
    this.store = new DeliveryStore(world.database());
  }

  @AfterEach
  void invariantsHold() {
    world.assertInvariants();
  }

  @AfterAll
  void close() {
    world.close();
  }

  private long accounts(int count) {
    next += count;
    return next - count;
  }

  private void say(long room, long account, int count) {
    for (int i = 0; i < count; i++) {
      String id = room + "-" + world.look(Long.class, "SELECT count(*) FROM send_key");
      assertThat(get(sends.append(List.of(world.sending(room, account, "d1", id).saying("p")))))
          .allMatch(EnvelopeOutcome.Stored.class::isInstance);
    }
  }

  private void read(long room, long account, long seq) {
    world.run(
        "SELECT move_markers(ARRAY[%d::bigint], ARRAY[%d::bigint], ARRAY['read'], ARRAY[%d::bigint], ARRAY[NULL::bigint])"
            .formatted(account, room, seq));
  }

  private void cannotRead(long account, long queueSeq) {
    world.run(
        "SELECT reject_envelope(%d, %d, 'r')"
            .formatted(world.registration(account, "d1"), queueSeq));
  }

  private void join(long room, long account) {
    world.run("SELECT begin_memberships(%d, %d, ARRAY[%2$d::bigint])".formatted(room, account));
  }

  /// As `account: runs that were delivered, read_seq, failed seqs`, accounts counted from the
  /// sender.
  private List<String> deliveries(long room, long sender, long from) {
    return get(
            store.read(new ReadDeliveries(new AccountId(sender), new RoomId(room), new Seq(from))))
        .accounts()
        .stream()
        .map(each -> text(each, sender))
        .toList();
  }

  private static String text(AccountDeliveries of, long sender) {
    String delivered =
        of.delivered().stream()
            .map(run -> run.getFirst() + "-" + run.getLast())
            .collect(Collectors.joining(" "));
    String failed =
        of.failed().stream()
            .map(failure -> failure.seq().toString())
            .collect(Collectors.joining(" "));
    Seq read = of.readSeq();
    return "%d: %s, %s, %s"
        .formatted(
            of.accountId().value() - sender, delivered, read == null ? "unread" : read, failed);
  }

  @Test
  void whatWasDeliveredIsReadAsFarAsItsReaderHasCome() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, 2);
    read(room, a + 1, 2);
    assertThat(deliveries(room, a, 1)).as("a marker is no receipt").isEmpty();
    world.ack(a + 1, "d1", 2);
    say(room, a + 1, 1);
    say(room, a, 2);
    world.ack(a + 1, "d1", 4);
    read(room, a + 1, 4);
    assertThat(deliveries(room, a, 1)).containsExactly("1: 1-5, 4, ");
    assertThat(deliveries(room, a, 5)).containsExactly("1: 5-5, unread, ");
  }

  @Test
  void whoJoinedHasReadNothingOfWhatCameBefore() {
    long a = accounts(3);
    long room = world.room(a, a + 1, 1);
    world.room(a + 2, a + 2, 1);
    say(room, a, 5);
    join(room, a + 2);
    assertThat(deliveries(room, a, 1)).isEmpty();
    say(room, a, 1);
    world.ack(a + 2, "d1", 1);
    assertThat(deliveries(room, a, 1)).containsExactly("2: 6-6, unread, ");
    read(room, a + 2, 6);
    assertThat(deliveries(room, a, 1)).containsExactly("2: 6-6, 6, ");
  }

  @Test
  void whatFailedIsReadByNobodyWhoReadsOn() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, 4);
    cannotRead(a + 1, 2);
    cannotRead(a + 1, 4);
    world.ack(a + 1, "d1", 4);
    read(room, a + 1, 4);
    assertThat(deliveries(room, a, 1)).containsExactly("1: 1-1 3-3, 3, 2 4");
    assertThat(deliveries(room, a, 4)).containsExactly("1: , unread, 4");
  }

  @Test
  void theMarkerOfOneWhoCameBackSaysNothingOfWhatWasReceivedBefore() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, 2);
    world.ack(a + 1, "d1", 2);
    world.leave(room, a + 1);
    join(room, a + 1);
    say(room, a, 1);
    world.ack(a + 1, "d1", 3);
    read(room, a + 1, 3);
    assertThat(deliveries(room, a, 1)).containsExactly("1: 1-3, unread, ");
    assertThat(deliveries(room, a, 3)).containsExactly("1: 3-3, 3, ");
  }

  @Test
  void whoReadsPrivatelyShowsWhatArrivedAndNotWhatWasRead() {
    long a = accounts(2);
    long room = readAndLost(a);
    assertThat(deliveries(room, a, 1)).containsExactly("1: 1-1, 1, 2");
    world.run("UPDATE account SET private_reading = true WHERE account_id = " + (a + 1));
    assertThat(deliveries(room, a, 1)).containsExactly("1: 1-1, unread, 2");
  }

  /// A room of two, of which the second has read the first message and cannot read the other one.
  private long readAndLost(long a) {
    long room = world.room(a, a + 1, 1);
    say(room, a, 2);
    cannotRead(a + 1, 2);
    world.ack(a + 1, "d1", 2);
    read(room, a + 1, 2);
    return room;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = %2$d",
        "INSERT INTO block (account_id, blocked_id) VALUES (%2$d, %1$d)"
      })
  void ofWhomHidesOnlyWhatFailedIsTold(String hiding) {
    long a = accounts(2);
    long room = readAndLost(a);
    world.run(hiding.formatted(a, a + 1));
    assertThat(deliveries(room, a, 1)).containsExactly("1: , unread, 2");
  }
}
