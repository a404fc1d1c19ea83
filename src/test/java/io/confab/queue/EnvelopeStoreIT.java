package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.testing.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnvelopeStoreIT {
  private final SealedWorld world;
  private final EnvelopeStore store;

  /// Accounts of a test are its own.
  private long next = 1;

  EnvelopeStoreIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    this.store = world.store();
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

  private List<EnvelopeOutcome> put(EnvelopeDraft... group) {
    return get(store.append(List.of(group)));
  }

  private static EnvelopeSent sent(EnvelopeOutcome outcome) {
    return switch (outcome) {
      case EnvelopeOutcome.Stored stored -> stored.sent();
      case EnvelopeOutcome.Duplicate(var sent) -> sent;
      case EnvelopeOutcome.Refused(var reason) -> throw reason;
    };
  }

  private static Refusal refusal(EnvelopeOutcome outcome) {
    return ((EnvelopeOutcome.Refused) outcome).reason();
  }

  @Test
  void everyDeviceButThatOfTheSenderGetsIt() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    EnvelopeOutcome.Stored stored =
        (EnvelopeOutcome.Stored) put(world.sending(room, a, "d1", "one").saying("p1")).getFirst();

    assertThat(world.queue(a, "d1")).isEmpty();
    assertThat(world.queue(a, "d2")).isEqualTo("1:1:/p1");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/p1");
    assertThat(world.queue(a + 1, "d2")).isEqualTo("1:1:/p1");
    assertThat(stored.sent().seq()).hasToString("1");
    assertThat(stored.event()).isNotNull();
    assertThat(stored.queued()).hasSize(1);
    assertThat(stored.queued().getFirst().number()).isEqualTo(1);
    assertThat(stored.queued().getFirst().places()).hasSize(3).allMatch(place -> place.first());
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT countable FROM room_position WHERE last_seq = 1 AND last_rev = 1 AND room_id = "
                        + room))
        .isEqualTo(1);
  }

  @Test
  void sendsOfAGroupStandInTheirOrderInEachQueueWhateverTheirRooms() {
    long a = accounts(3);
    long one = world.room(a, a + 2, 1);
    long other = world.room(a, a + 1, 1);
    put(
        world.sending(other, a, "d1", "1").saying("x1"),
        world.sending(one, a, "d1", "2").saying("y1"),
        world.sending(one, a + 1, "d1", "3").saying("y2"),
        world.sending(other, a, "d1", "4").saying("x2"));
    put(world.sending(one, a + 2, "d1", "5").saying("y3"));

    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/x1 2:1:/y1 3:2:/x2 4:3:/y3");
    assertThat(world.queue(a, "d1")).isEqualTo("1:2:/y2 2:3:/y3");
    assertThat(world.queue(a + 2, "d1")).isEqualTo("1:1:/y1 2:2:/y2");
  }

  @Test
  void aRetryGetsTheSameAnswerAndNothingIsStoredTwice() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    EnvelopeDraft said = world.sending(room, a, "d1", "said").saying("p");
    EnvelopeDraft silent = world.sending(room, a, "d1", "silent").silently("q");
    EnvelopeDraft loose =
        world.sending(0, a, "d1", "loose").silently(null, world.body(a + 1, "d1", "k"));
    EnvelopeSent first = sent(put(said).getFirst());
    EnvelopeSent second = sent(put(silent, said, silent).getFirst());
    EnvelopeSent third = sent(put(loose, loose).getFirst());

    assertThat(put(silent, said)).containsExactly(duplicate(second), duplicate(first));
    assertThat(put(loose)).containsExactly(duplicate(third));
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/p 2:-:/q 3:-:k/");
    assertThat(second.seq()).isNull();
    assertThat(
            world.postgres().count("SELECT envelopes FROM room_position WHERE room_id = " + room))
        .isEqualTo(2);
  }

  private static EnvelopeOutcome duplicate(EnvelopeSent first) {
    return new EnvelopeOutcome.Duplicate(
        new EnvelopeSent(first.roomId(), first.clientId(), first.seq(), first.ts(), true, null));
  }

  @Test
  void otherContentUnderTheSameKeyIsAMismatch() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    var sending = world.sending(room, a, "d1", "same");
    put(sending.saying("one"));
    assertThat(refusal(put(sending.saying("two")).getFirst()).code())
        .isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH);
    assertThat(refusal(put(sending.silently("one")).getFirst()).code())
        .isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH);
  }

  @Test
  void otherDevicesThanTheRoomHasAreAnsweredWithThoseThatItHasAndNothingIsKept() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    var stale = world.sending(room, a, "d1", "later");
    world.addDevice(a + 1, "new");
    Refusal refusal =
        refusal(
            put(
                    world.sending(room, a + 1, "d1", "good").saying("g1"),
                    stale.saying("old"),
                    world.sending(room, a + 1, "new", "good").saying("g2"))
                .get(1));

    assertThat(refusal.code()).isEqualTo(ErrorCode.DEVICE_MISMATCH);
    assertThat(refusal.devices().orElseThrow())
        .extracting(PresentDevice::deviceId)
        .extracting(Object::toString)
        .containsExactly("d1", "d1", "new");
    assertThat(world.queue(a, "d1")).isEqualTo("1:1:/g1");
    assertThat(world.postgres().count("SELECT count(*) FROM send_key WHERE sender_id = " + a))
        .isZero();
    EnvelopeSent again = sent(put(world.sending(room, a, "d1", "later").saying("new")).getFirst());
    assertThat(again.duplicate()).isFalse();
    assertThat(again.seq()).hasToString("2");
    assertThat(world.queue(a + 1, "new")).isEqualTo("1:1:/g1 2:2:/new");
  }

  @Test
  void aKeyAndTheMessageThatNeedsItLieInOneEnvelope() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    put(
        world
            .sending(room, a, "d1", "1")
            .draft(false, null, "said", world.body(a + 1, "d2", "key")));
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/said");
    assertThat(world.queue(a + 1, "d2")).isEqualTo("1:1:key/said");
  }

  @Test
  void bodiesAloneGoSilentlyToThoseWhoAreNamed() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    put(world.sending(room, a, "d1", "1").silently(null, world.body(a + 1, "d2", "key")));
    assertThat(world.queue(a + 1, "d1")).isEmpty();
    assertThat(world.queue(a + 1, "d2")).isEqualTo("1:-:key/");
  }

  @Test
  void withoutARoomOnlyCompanionsAreReached() {
    long a = accounts(3);
    world.room(a, a + 1, 2);
    world.room(a + 2, a + 2, 1);
    assertThat(
            sent(put(world
                        .sending(0, a, "d1", "1")
                        .silently(
                            null, world.body(a, "d2", "own"), world.body(a + 1, "d1", "theirs")))
                    .getFirst())
                .seq())
        .isNull();
    assertThat(world.queue(a, "d2")).isEqualTo("1:-:own/");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:-:theirs/");
    Refusal refusal =
        refusal(
            put(world
                    .sending(0, a, "d1", "2")
                    .silently(null, world.body(a + 2, "d1", "a stranger's")))
                .getFirst());
    assertThat(refusal.code()).isEqualTo(ErrorCode.DEVICE_MISMATCH);
    assertThat(refusal.devices().orElseThrow()).isEmpty();
    assertThat(world.queue(a + 2, "d1")).isEmpty();
  }

  @Test
  void withoutARoomADeviceIsReachedByItsOwnNameAlone() {
    long a = accounts(3);
    world.room(a, a + 1, 1);
    world.room(a + 2, a + 2, 1);
    KeyBody strangers = world.body(a + 2, "d1", "x");
    KeyBody friends = world.body(a + 1, "d1", "x");
    for (KeyBody wrong :
        List.of(
            new KeyBody(new AccountId(a), new DeviceId("d1"), strangers.registrationId(), "x"),
            new KeyBody(new AccountId(a + 1), new DeviceId("d1"), strangers.registrationId(), "x"),
            new KeyBody(new AccountId(a + 1), new DeviceId("d2"), friends.registrationId(), "x"))) {
      assertThat(
              refusal(put(world.sending(0, a, "d1", "k").silently(null, friends, wrong)).getFirst())
                  .code())
          .isEqualTo(ErrorCode.DEVICE_MISMATCH);
    }
    assertThat(world.queue(a + 1, "d1")).isEmpty();
    assertThat(world.queue(a + 2, "d1")).isEmpty();
    put(world.sending(0, a, "d1", "k").silently(null, friends));
    assertThat(world.queue(a + 1, "d1")).as("no key was kept").isEqualTo("1:-:x/");
  }

  @Test
  void withoutARoomADeviceThatIsGoneOrDormantIsAMismatch() {
    long a = accounts(2);
    world.room(a, a + 1, 2);
    KeyBody gone = world.body(a + 1, "d1", "x");
    KeyBody dormant = world.body(a + 1, "d2", "x");
    world.removeDevice(a + 1, "d1");
    world
        .postgres()
        .execute(
            "UPDATE device_queue SET dormant = true WHERE registration_id = "
                + dormant.registrationId().value());
    for (KeyBody body : List.of(gone, dormant)) {
      assertThat(
              refusal(put(world.sending(0, a, "d1", "k").silently(null, body)).getFirst()).code())
          .isEqualTo(ErrorCode.DEVICE_MISMATCH);
    }
    assertThat(world.postgres().count("SELECT count(*) FROM send_key WHERE sender_id = " + a))
        .isZero();
  }

  @Test
  void theNumberOfNoRoomTakesNothingFromTheRoomsOfItsGroup() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    EnvelopeDraft fine = world.sending(room, a, "d1", "fine").saying("p");
    EnvelopeDraft none =
        new EnvelopeDraft(
            new RoomId(0), fine.sender(), new ClientId("none"), "", true, null, "q", List.of());
    List<EnvelopeOutcome> outcomes = put(none, fine);
    assertThat(outcomes.getFirst()).isInstanceOf(EnvelopeOutcome.Refused.class);
    assertThat(sent(outcomes.getLast()).seq()).hasToString("1");
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/p");
    assertThat(sent(put(world.sending(room, a, "d1", "next").saying("p")).getFirst()).seq())
        .hasToString("2");
  }

  @Test
  void aBodyForADeviceThatDoesNotGetTheSendIsRefused() {
    long a = accounts(3);
    long room = world.room(a, a + 1, 1);
    world.room(a + 2, a + 2, 1);
    for (KeyBody wrong : List.of(world.body(a + 2, "d1", "x"), world.body(a, "d1", "x"))) {
      Refusal refusal =
          refusal(put(world.sending(room, a, "d1", "b").draft(false, null, "p", wrong)).getFirst());
      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
      assertThat(refusal.field()).hasValue("envelopes");
    }
    assertThat(world.queue(a + 1, "d1")).isEmpty();
  }

  @Test
  void withoutARoomABodyForTheDeviceThatSendsIsRefusedAndNothingIsKept() {
    long a = accounts(2);
    world.room(a, a + 1, 1);
    KeyBody own = world.body(a, "d1", "x");
    KeyBody friends = world.body(a + 1, "d1", "x");
    for (KeyBody[] bodies : List.of(new KeyBody[] {own}, new KeyBody[] {friends, own})) {
      Refusal refusal =
          refusal(put(world.sending(0, a, "d1", "k").silently(null, bodies)).getFirst());
      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
      assertThat(refusal.field()).hasValue("envelopes");
    }
    List<EnvelopeOutcome> group =
        put(
            world.sending(0, a, "d1", "k").silently(null, own),
            world.sending(0, a, "d1", "fine").silently(null, friends),
            world.sending(0, a + 1, "d1", "theirs").silently(null, own));
    assertThat(refusal(group.getFirst()).code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:-:x/");
    assertThat(world.queue(a, "d1")).as("from somebody else").isEqualTo("1:-:x/");
    put(world.sending(0, a, "d1", "k").silently(null, friends));
    assertThat(world.queue(a + 1, "d1")).as("no key was kept").isEqualTo("1:-:x/ 2:-:x/");
  }

  /// No digest names its own device.
  @Test
  void withoutARoomADormantDeviceSends() {
    long a = accounts(2);
    world.room(a, a + 1, 1);
    world.run("UPDATE device_queue SET dormant = true WHERE account_id = " + a);
    put(world.sending(0, a, "d1", "k").silently(null, world.body(a + 1, "d1", "x")));
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:-:x/");
  }

  @Test
  void whoMayNotSendLeavesNothing() {
    long a = accounts(4);
    long room = world.room(a, a + 1, 1);
    world.room(a + 2, a + 2, 1);
    world
        .postgres()
        .execute(
            "UPDATE room_member SET muted_until = now() + interval '1 h' WHERE account_id = " + a);
    assertThat(refusal(put(world.sending(room, a, "d1", "1").saying("p")).getFirst()).code())
        .isEqualTo(ErrorCode.MUTED);
    assertThat(refusal(put(world.sending(room, a + 2, "d1", "1").saying("p")).getFirst()).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(put(world.sending(room, a + 1, "none", "1").saying("p")).getFirst()).code())
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(
            refusal(
                    put(new SealedWorld.Sending(room + 1_000_000, a, "d1", "1", "none").saying("x"))
                        .getFirst())
                .code())
        .isEqualTo(ErrorCode.NOT_FOUND);
    world.postgres().execute("UPDATE room_position SET archived = true WHERE room_id = " + room);
    assertThat(refusal(put(world.sending(room, a + 1, "d1", "1").saying("p")).getFirst()).code())
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT count(*) FROM send_key WHERE sender_id BETWEEN %d AND %d"
                        .formatted(a, a + 3)))
        .isZero();
  }

  @Test
  void aQueueTakesSoManyAndTheSenderIsToldWhichTookNothing() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    EnvelopeStore shallow =
        world.store(TestConfig.queues(3, Duration.ofDays(1), Duration.ofDays(1)));
    EnvelopeDraft[] group =
        IntStream.rangeClosed(1, 5)
            .mapToObj(i -> world.sending(room, a, "d1", "m" + i).saying("p" + i))
            .toArray(EnvelopeDraft[]::new);
    List<EnvelopeOutcome> outcomes = get(shallow.append(List.of(group)));

    assertThat(outcomes.subList(0, 3)).allMatch(outcome -> sent(outcome).full() == null);
    assertThat(sent(outcomes.get(3)).full())
        .extracting(full -> full.accountId().value())
        .containsExactly(a + 1, a + 2);
    assertThat(world.queue(a + 1, "d1")).isEqualTo("1:1:/p1 2:2:/p2 3:3:/p3");
    assertThat(world.failures(room))
        .isEqualTo("%1$d:4:full %1$d:5:full %2$d:4:full %2$d:5:full".formatted(a + 1, a + 2));
    world.ack(a + 1, "d1", 3);
    sent(get(shallow.append(List.of(world.sending(room, a, "d1", "m6").saying("p6")))).getFirst());
    assertThat(world.queue(a + 1, "d1")).isEqualTo("4:6:/p6");
    world.ack(a + 1, "d1", 4);
    assertThat(world.spans(room, a + 1)).isEqualTo("1-3 6-6");
  }

  /// The same bytes sent anew while the first try was under way.
  @Test
  void twinsOfARefusedSendAreRefusedAsItIs() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    EnvelopeDraft stale = world.sending(room, a, "d1", "twin").saying("p");
    world.addDevice(a + 1, "new");
    assertThat(put(stale, stale))
        .extracting(outcome -> refusal(outcome).code())
        .containsExactly(ErrorCode.DEVICE_MISMATCH, ErrorCode.DEVICE_MISMATCH);
    EnvelopeDraft wrong =
        world
            .sending(room, a, "d1", "twin")
            .draft(false, null, "p", world.body(a, "d1", "to itself"));
    assertThat(put(wrong, wrong))
        .extracting(outcome -> refusal(outcome).code())
        .containsExactly(ErrorCode.INVALID_FIELD, ErrorCode.INVALID_FIELD);
  }

  @Test
  void aDormantDeviceOpensItsQueueBeforeItSends() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    var known = world.sending(room, a, "d1", "1");
    world.run(
        "UPDATE device_queue SET dormant = true WHERE registration_id = "
            + world.registration(a, "d1"));
    for (var sending : List.of(known, world.sending(room, a, "d1", "1"))) {
      Refusal refusal = refusal(put(sending.saying("p")).getFirst());
      assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(refusal.detail()).contains("open its queue");
    }
    world.run("SELECT return_queues(ARRAY[%d]::bigint[])".formatted(world.registration(a, "d1")));
    assertThat(sent(put(known.saying("p")).getFirst()).duplicate()).isFalse();
  }

  @Test
  void nothingLastsLongerThanAnything() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    EnvelopeStore brief =
        world.store(TestConfig.queues(10, Duration.ofSeconds(50), Duration.ofDays(1)));
    var sending = world.sending(room, a, "d1", "1");
    EnvelopeOutcome.Stored stored =
        (EnvelopeOutcome.Stored)
            get(brief.append(List.of(sending.draft(false, 3_600, "p")))).getFirst();
    assertThat(new String(stored.queued().getFirst().tail(), StandardCharsets.UTF_8))
        .contains("\"expires_at\":" + (stored.sent().ts() + 50_000));
  }

  @Test
  void whatEndedWhileItWasLookedForIsNoTarget() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 2);
    var before = world.sending(room, a, "d1", "1");
    world.removeDevice(a + 1, "d2");
    assertThat(refusal(put(before.saying("p")).getFirst()).code())
        .isEqualTo(ErrorCode.DEVICE_MISMATCH);
    assertThat(sent(put(world.sending(room, a, "d1", "1").saying("p")).getFirst()).seq())
        .hasToString("1");
  }
}
