package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.queue.EnvelopeSent;
import io.confab.testing.RecordingAnnouncer;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How a writer stores sends of sealed rooms.
class EnvelopeWriterTest {
  private static final RoomId ROOM = new RoomId(7);

  private final FakeLog log = new FakeLog();
  private final ManualTiming timing = new ManualTiming();
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private final MessageWriter writer =
      new MessageWriter(
          log,
          announcer,
          new Config.Persistence(1, 10, 100, Duration.ofSeconds(5), Duration.ZERO),
          1 << 24,
          timing,
          new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), new SplittableRandom(1)));

  private static EnvelopeDraft draft(@Nullable RoomId room, String id) {
    return draft(room, 1, id, 0);
  }

  private static EnvelopeDraft draft(@Nullable RoomId room, long account, String id, int bodies) {
    return new EnvelopeDraft(
        room,
        new Caller(new AccountId(account), new DeviceId("d")),
        new ClientId(id),
        "0123456789abcdef",
        false,
        null,
        "canary",
        Collections.nCopies(
            bodies, new KeyBody(new AccountId(2), new DeviceId("e"), new RegistrationId(3), "b")));
  }

  private Future<EnvelopeSent> put(String id) {
    return writer.put(draft(ROOM, id));
  }

  private static EnvelopeOutcome stored(EnvelopeDraft draft, int devices) {
    Seq seq = new Seq(1);
    return new EnvelopeOutcome.Stored(
        new EnvelopeSent(draft.roomId(), draft.clientId(), seq, 1_000, false, null),
        Event.sealed(
            new EventFrames.Stamp(ROOM, new Rev(1), new Epoch(7), draft.sender().account(), 1_000),
            seq),
        List.of(
            new QueuedSend(
                draft.roomId(),
                draft.roomId() == null ? draft.sender().account() : null,
                new Epoch(7),
                1,
                new byte[0],
                Collections.nCopies(
                    devices,
                    new QueuedSend.Place(new RegistrationId(3), new QueueSeq(1), false, null)))));
  }

  private void commit() {
    commit(1);
  }

  private void commit(int devices) {
    log.putCalls
        .getLast()
        .complete(log.puts.getLast().stream().map(draft -> stored(draft, devices)).toList());
  }

  private List<String> under() {
    return log.puts.getLast().stream().map(each -> each.clientId().value()).toList();
  }

  private void fail(Throwable failure) {
    log.putCalls.getLast().fail(failure);
  }

  private static PgException error(String state) {
    return new PgException("no", "ERROR", state, "canary");
  }

  private static ErrorCode code(Future<?> failed) {
    return ((Refusal) failed.cause()).code();
  }

  @Test
  void whatWaitsGoesTogetherAndIsAnsweredBeforeItIsAnnounced() {
    Future<EnvelopeSent> first = put("a");
    Future<EnvelopeSent> second = put("b");
    Future<EnvelopeSent> third = put("c");
    first.onSuccess(_ -> assertThat(announcer.events).isEmpty());
    assertThat(log.puts.getLast()).hasSize(1);
    commit();
    assertThat(log.puts.getLast()).hasSize(2);
    commit();
    assertThat(List.of(first, second, third)).allMatch(Future::succeeded);
    assertThat(announcer.events).hasSize(3);
  }

  @Test
  void whatHasNoRoomGoesInACallOfItsOwn() {
    put("busy");
    put("a");
    writer.put(draft(null, "b"));
    writer.put(draft(null, "c"));
    put("d");
    commit();
    assertThat(log.puts.getLast()).extracting(each -> each.clientId().value()).containsExactly("a");
    commit();
    assertThat(log.puts.getLast())
        .extracting(each -> each.clientId().value())
        .containsExactly("b", "c");
    commit();
    assertThat(log.puts.getLast()).extracting(each -> each.clientId().value()).containsExactly("d");
  }

  @Test
  void aBusyDatabaseIsTriedAgainAfterGrowingPausesAndThenGivenUp() {
    Future<EnvelopeSent> answer = put("a");
    for (int pause : List.of(100, 200, 400, 800, 1_600)) {
      fail(error("53200"));
      int tried = log.puts.size();
      timing.pass(Duration.ofMillis(pause - 1));
      assertThat(log.puts).hasSize(tried);
      timing.pass(Duration.ofMillis(50)); // between two looks
      assertThat(log.puts).hasSize(tried + 1);
      assertThat(answer.isComplete()).isFalse();
    }
    fail(error("53200"));
    assertThat(code(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
    timing.pass(Duration.ofMinutes(1));
    assertThat(log.puts).hasSize(6);
  }

  @Test
  void whatComesMeanwhileForTheSameRoomWaitsBehindIt() {
    put("brings the key");
    put("needs it");
    writer.put(draft(new RoomId(8), "other"));
    fail(error("57014"));
    assertThat(under()).as("other rooms go on").containsExactly("other");
    commit();
    put("needs it, too");
    timing.pass(Duration.ofMillis(99));
    assertThat(under()).containsExactly("other");
    timing.pass(Duration.ofMillis(50));
    assertThat(under()).containsExactly("brings the key");
    commit();
    assertThat(under()).containsExactly("needs it", "needs it, too");
  }

  @Test
  void aGroupWritesNoMoreRowsThanItMay() {
    put("busy");
    for (String id : List.of("a", "b", "c")) {
      writer.put(draft(null, 1, id, 4_000));
    }
    commit();
    assertThat(under()).containsExactly("a", "b");
    commit();
    assertThat(under()).containsExactly("c");
  }

  @Test
  void aSendHasARowForEachDeviceThatTheLastOneOfItsRoomReached() {
    put("busy");
    List.of("a", "b", "c", "d").forEach(this::put);
    writer.put(draft(new RoomId(8), "other"));
    commit(3_000);
    assertThat(under()).containsExactly("a", "b", "c");
    commit(1);
    assertThat(under()).containsExactly("d", "other");
  }

  @Test
  void afterAGroupThatTookTooLongGroupsAreHalfAsLargeAndGrowAgain() {
    put("busy");
    List.of("a", "b", "c", "d", "e", "f", "g", "h").forEach(this::put);
    commit();
    assertThat(under()).hasSize(8);
    fail(error("57014"));
    timing.pass(Duration.ofMillis(100));
    assertThat(under()).containsExactly("a", "b", "c", "d");
    List.of("i", "j", "k", "l", "m", "n").forEach(this::put);
    commit();
    assertThat(under()).containsExactly("e", "f", "g", "h", "i");
    commit();
    assertThat(under()).containsExactly("j", "k", "l", "m", "n");
  }

  @Test
  void groupsOfSendsWithManyRowsGrowAgain() {
    put("busy");
    List.of("a", "b").forEach(this::put);
    commit(3);
    for (int i = 0; i < 3; i++) {
      fail(error("57014"));
      timing.pass(Duration.ofSeconds(1));
    }
    for (int i = 0; i < 50; i++) {
      put("c" + i);
    }
    for (int i = 0; i < 12; i++) {
      commit(3);
    }
    assertThat(under()).hasSizeGreaterThan(2);
  }

  @Test
  void whatIsUnderWayDoesNotWait() {
    Future<EnvelopeSent> answer = put("a");
    timing.pass(Duration.ofSeconds(6));
    fail(error("57014"));
    assertThat(answer.isComplete()).isFalse();
    timing.pass(Duration.ofMillis(150));
    commit();
    assertThat(answer.succeeded()).isTrue();
  }

  @Test
  void whatIsBehindOneThatIsGivenUpIsGivenUpToo() {
    Future<EnvelopeSent> key = put("brings the key");
    for (int pause : List.of(100, 200, 400, 800, 1_600)) {
      fail(error("53200"));
      timing.pass(Duration.ofMillis(pause + 49));
    }
    Future<EnvelopeSent> needs = put("needs it");
    Future<EnvelopeSent> other = writer.put(draft(new RoomId(8), "other"));
    fail(error("53200"));
    assertThat(code(key)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(code(needs)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(under()).containsExactly("other");
    commit();
    assertThat(other.succeeded()).isTrue();
  }

  @Test
  void whatIsBehindOneThatWaitedTooLongIsRefusedToo() {
    put("under way");
    Future<EnvelopeSent> key = put("brings the key");
    timing.pass(Duration.ofSeconds(3));
    Future<EnvelopeSent> needs = put("needs it");
    Future<EnvelopeSent> other = writer.put(draft(new RoomId(8), "other"));
    timing.pass(Duration.ofSeconds(2));
    assertThat(code(key)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(code(needs)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(other.isComplete()).isFalse();
  }

  @Test
  void whatHasNoRoomWaitsForQueuesOfItsOwnSenderAlone() {
    put("busy");
    Future<EnvelopeSent> held = writer.put(draft(null, 1, "held", 1));
    Future<EnvelopeSent> free = writer.put(draft(null, 2, "free", 1));
    commit();
    assertThat(under()).containsExactly("held", "free");
    fail(error("55P03"));
    assertThat(under()).containsExactly("held");
    fail(error("55P03"));
    assertThat(under()).containsExactly("free");
    commit();
    assertThat(free.succeeded()).isTrue();
    writer.put(draft(null, 1, "behind", 1));
    writer.put(draft(null, 2, "further", 1));
    assertThat(under()).containsExactly("further");
    commit();
    timing.pass(Duration.ofMillis(100));
    assertThat(under()).containsExactly("held", "behind");
    commit();
    assertThat(held.succeeded()).isTrue();
  }

  @Test
  void roomsWhoseQueuesAreSeenToBeHeldCostTheOthersOneWait() {
    put("busy");
    for (int room = 10; room < 15; room++) {
      log.locked.add(new RoomId(room));
      writer.put(draft(new RoomId(room), "held " + room));
    }
    put("free");
    commit();
    fail(error("55P03"));
    assertThat(under()).containsExactly("free");
    commit();
    int tried = log.puts.size();
    timing.pass(Duration.ofSeconds(1));
    assertThat(log.puts).hasSize(tried);
    log.locked.clear();
    timing.pass(Duration.ofMillis(50));
    assertThat(under()).hasSize(5);
  }

  @Test
  void roomsThatShareAHeldQueueRestAndComeBehindTheOthers() {
    put("busy");
    for (int room = 10; room < 15; room++) {
      writer.put(draft(new RoomId(room), "held " + room));
    }
    put("free");
    commit();
    fail(error("55P03"));
    for (int room = 10; room < 15; room++) {
      assertThat(under()).containsExactly("held " + room);
      fail(error("55P03"));
    }
    assertThat(under()).containsExactly("free");
    commit();
    int tried = log.puts.size();
    timing.pass(Duration.ofMillis(99));
    assertThat(log.puts).hasSize(tried);
    put("under way");
    put("first");
    timing.pass(Duration.ofMillis(1));
    writer.put(draft(new RoomId(10), "behind"));
    commit();
    assertThat(under())
        .containsExactly("first", "held 10", "behind", "held 11", "held 12", "held 13", "held 14");
  }

  @Test
  void oneThatCanNeverBeStoredBecomesADeadLetterAndTheOthersAreStored() {
    put("busy");
    Future<EnvelopeSent> good = put("good");
    Future<EnvelopeSent> bad = put("bad");
    commit();
    fail(error("22021"));
    commit();
    fail(error("22021"));
    assertThat(good.succeeded()).isTrue();
    assertThat(bad.cause()).isNotInstanceOf(Refusal.class);
    assertThat(bad.cause().toString()).doesNotContain("canary");
    assertThat(log.buried).hasSize(1);
    assertThat(log.buried.getFirst()).contains("22021").doesNotContain("canary");
  }

  /// [A(R), B(R), X] of which X can never be stored, and C(R) that came meanwhile.
  private void splitBesideOneThatCanNeverBeStored() {
    put("busy");
    put("a");
    put("b");
    writer.put(draft(new RoomId(8), "never"));
    commit();
    assertThat(under()).containsExactly("a", "b", "never");
    put("c");
    fail(error("22021"));
    assertThat(under()).as("each room alone").containsExactly("a", "b");
    fail(error("22021"));
    assertThat(under()).as("then each entry").containsExactly("a");
  }

  @Test
  void whatHasToWaitBesideOneThatCanNeverBeStoredKeepsItsOrder() {
    for (String state : List.of("55P03", "53200")) {
      splitBesideOneThatCanNeverBeStored();
      fail(error(state));
      assertThat(under()).containsExactly("never");
      fail(error("22021"));
      put("d");
      timing.pass(Duration.ofMillis(150));
      assertThat(under()).containsExactly("a", "b", "c", "d");
      commit();
    }
  }

  @Test
  void whatIsBehindOneThatIsGivenUpBesideOneThatCanNeverBeStoredIsGivenUpToo() {
    Future<EnvelopeSent> key = put("a");
    for (int pause : List.of(100, 200, 400, 800, 1_600)) {
      fail(error("53200"));
      timing.pass(Duration.ofMillis(pause - 1));
      if (pause == 1_600) {
        break;
      }
      timing.pass(Duration.ofMillis(50));
    }
    Future<EnvelopeSent> needs = put("b");
    timing.pass(Duration.ofMillis(50));
    assertThat(under()).containsExactly("a", "b");
    fail(error("22021"));
    assertThat(under()).containsExactly("a");
    fail(error("53200"));
    assertThat(code(key)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(code(needs)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(under()).containsExactly("a");
  }

  @Test
  void anUnknownOutcomeIsSettledBeforeAnythingElseIsStored() {
    Future<EnvelopeSent> answer = put("a");
    fail(new ClosedChannelException());
    assertThat(code(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
    put("b");
    timing.pass(Duration.ofSeconds(2));
    assertThat(log.foundPuts).hasSize(1);
    assertThat(announcer.untold).hasValue(1);
    assertThat(log.puts.getLast()).extracting(each -> each.clientId().value()).containsExactly("b");
  }
}
