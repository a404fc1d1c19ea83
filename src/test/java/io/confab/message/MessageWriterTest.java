package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MessageWriterTest {
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(5);
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ANN = new AccountId(1);
  private final PgException lockTimeout = error("ERROR", "55P03");
  private final PgException cancelled = error("ERROR", "57014");
  private final PgException badData = error("ERROR", "22021");

  private final FakeLog log = new FakeLog();
  private final ManualTiming timing = new ManualTiming();
  private final List<String> story = new ArrayList<>();
  private final List<Event> announced = new ArrayList<>();
  private final MessageWriter writer =
      new MessageWriter(
          log,
          new Announcer() {
            @Override
            public void announce(List<Event> events) {
              story.add("announce " + events.size());
              announced.addAll(events);
            }

            @Override
            public void announce(RoomSignal signal) {}

            @Override
            public void signal(List<AccountSignal> signals) {}

            @Override
            public void moved(RoomId room, Rev rev) {}

            @Override
            public void signalOnce(List<AccountSignal> signals) {}
          },
          new Config.Persistence(1, 4, 6, WAIT_LIMIT, Duration.ZERO),
          1 << 24,
          timing,
          new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), new Random(1)));

  @Test
  void aLoneMessageGoesAtOnce() {
    send("a");
    assertThat(groups()).containsExactly(List.of("a"));
  }

  @Test
  void whatArrivesWhileAGroupIsInFlightGoesTogetherInTheNext() {
    send("a");
    send("b");
    send("c");
    assertThat(groups()).containsExactly(List.of("a"));
    log.commit();
    assertThat(groups()).containsExactly(List.of("a"), List.of("b", "c"));
  }

  @Test
  void aGroupHasABoundAndKeepsTheOrder() {
    send("a");
    for (String id : List.of("b", "c", "d", "e", "f", "g")) {
      send(id);
    }
    log.commit();
    log.commit();
    assertThat(groups())
        .containsExactly(List.of("a"), List.of("b", "c", "d", "e"), List.of("f", "g"));
  }

  @Test
  void sendersHearOfItAfterTheCommitAndBeforeItIsAnnounced() {
    send("a").onSuccess(sent -> story.add("ack " + sent.clientId()));
    assertThat(story).isEmpty();
    log.commit();
    assertThat(story).containsExactly("ack a", "announce 1");
  }

  @Test
  void theEventIsTheFrameOfTheMessage() {
    send("a");
    log.commit();
    assertThat(new String(announced.getFirst().frame(), StandardCharsets.UTF_8))
        .contains("\"message.receive\"", "\"client_id\":\"a\"", "\"epoch\":7", "\"ts\":1000");
  }

  @Test
  void duplicatesMismatchesAndRefusalsAreNotAnnounced() {
    Future<Sent> a = send("a");
    Outcome.Duplicate known = new Outcome.Duplicate(new Seq(3), new Rev(4), 1_000);
    log.calls.getLast().complete(List.of(known));
    assertThat(a.result().duplicate()).isTrue();
    Future<Sent> b = send("b");
    log.calls.getLast().complete(List.of(new Outcome.Mismatch()));
    assertThat(code(b)).isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH);
    assertThat(announced).isEmpty();
  }

  @Test
  void moreThanTheQueueHoldsIsRefused() {
    send("flying");
    for (int i = 0; i < 6; i++) {
      send("waiting" + i);
    }
    assertThat(code(send("too many"))).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void whoWaitsTooLongIsRefusedAndNeverStored() {
    log.refuseConnects = Integer.MAX_VALUE;
    Future<Sent> a = send("a");
    timing.pass(WAIT_LIMIT.minusMillis(1));
    assertThat(a.isComplete()).isFalse();
    timing.pass(Duration.ofMillis(2));
    assertThat(code(a)).isEqualTo(ErrorCode.UNAVAILABLE);
    log.refuseConnects = 0;
    timing.pass(Duration.ofSeconds(2));
    assertThat(groups()).isEmpty();
  }

  @Test
  void reconnectingBacksOff() {
    log.refuseConnects = Integer.MAX_VALUE;
    send("a");
    timing.pass(Duration.ofSeconds(4));
    assertThat(log.connects).isBetween(7, 15);
  }

  @Test
  void anUnknownOutcomeIsSettledAndAnnouncedBeforeTheNextGroupGoes() {
    Future<Sent> a = send("a");
    Future<Sent> b = send("b");
    log.refuseConnects = 2;
    log.loseConnection();
    assertThat(code(a)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(log.found).isEmpty();
    timing.pass(Duration.ofSeconds(2));
    assertThat(log.found).hasSize(1);
    assertThat(announced).hasSize(1);
    assertThat(groups()).containsExactly(List.of("a"), List.of("b"));
    log.commit();
    assertThat(b.succeeded()).isTrue();
  }

  @Test
  void anUnknownOutcomeIsSettledEvenIfNothingElseIsSent() {
    send("a");
    log.loseConnection();
    assertThat(log.found).hasSize(1);
    assertThat(announced).hasSize(1);
  }

  @Test
  void aBadMessageHurtsOnlyItself() {
    send("first");
    log.commit();
    Future<Sent> flying = send("flying");
    Future<Sent> good = send("good");
    Future<Sent> bad = send("bad");
    log.commit();
    assertThat(flying.succeeded()).isTrue();
    log.fail(badData);
    log.commit();
    log.fail(badData);
    assertThat(good.succeeded()).isTrue();
    assertThat(bad.cause()).isSameAs(badData);
  }

  @Test
  void aLockedRoomIsPutAsideWhileOthersGoOnAndGoesInItsOrderWhenItIsFree() {
    log.locked.add(ROOM);
    send("flying", 2);
    Future<Sent> first = send("first", 1);
    Future<Sent> free = send("free", 2);
    Future<Sent> second = send("second", 1);
    log.commit();
    log.fail(lockTimeout);
    Future<Sent> third = send("third", 1);
    Future<Sent> alsoFree = send("also free", 2);
    log.commit();
    assertThat(free.succeeded()).isTrue();
    log.commit();
    assertThat(alsoFree.succeeded()).isTrue();
    timing.pass(Duration.ofMillis(60));
    assertThat(first.isComplete()).isFalse();
    log.locked.clear();
    timing.pass(Duration.ofMillis(60));
    log.commit();
    assertThat(Future.all(first, second, third).succeeded()).isTrue();
    assertThat(groups())
        .containsExactly(
            List.of("flying"),
            List.of("first", "free", "second"),
            List.of("free"),
            List.of("also free"),
            List.of("first", "second", "third"));
  }

  @Test
  void whatFollowsAMessageThatIsPutAsideDoesNotOvertakeIt() {
    send("flying", 2);
    Future<Sent> first = send("first", 1);
    Future<Sent> second = send("second", 1);
    log.commit();
    log.fail(badData); // each is tried alone
    log.fail(lockTimeout); // the room is free again at once
    timing.pass(Duration.ofMillis(60));
    log.commit();
    assertThat(Future.all(first, second).succeeded()).isTrue();
    assertThat(groups())
        .containsExactly(
            List.of("flying"),
            List.of("first", "second"),
            List.of("first"),
            List.of("first", "second"));
  }

  @Test
  void whatIsPutAsideExpires() {
    log.locked.add(ROOM);
    Future<Sent> mine = send("mine", 1);
    log.fail(lockTimeout);
    timing.pass(WAIT_LIMIT.plusMillis(60));
    assertThat(code(mine)).isEqualTo(ErrorCode.UNAVAILABLE);
    int looks = log.looks;
    timing.pass(Duration.ofSeconds(1));
    assertThat(log.looks).isLessThanOrEqualTo(looks + 1);
  }

  @Test
  void aWriterThatClosesWaitsForWhatIsPutAside() {
    log.locked.add(ROOM);
    send("mine", 1);
    log.fail(lockTimeout);
    Future<Void> closed = writer.close();
    assertThat(closed.isComplete()).isFalse();
    log.locked.clear();
    timing.pass(Duration.ofMillis(60));
    log.commit();
    assertThat(closed.succeeded()).isTrue();
  }

  @Test
  void roomsThatAreFreeByTheTimeTheyAreLookedAtAreTriedOneByOne() {
    send("flying", 1);
    Future<Sent> one = send("one", 1);
    Future<Sent> two = send("two", 2);
    log.commit();
    log.fail(lockTimeout);
    log.commit();
    log.commit();
    assertThat(Future.all(one, two).succeeded()).isTrue();
  }

  @Test
  void aConnectionLostBetweenPiecesRefusesTheRest() {
    send("flying");
    Future<Sent> a = send("a");
    Future<Sent> b = send("b");
    log.commit();
    log.fail(badData);
    log.loseConnection();
    assertThat(code(a)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(code(b)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(log.found).containsExactly(log.groups.getLast());
  }

  @Test
  void closingFinishesWhatWasAccepted() {
    Future<Sent> a = send("a");
    Future<Sent> b = send("b");
    Future<Void> closed = writer.close();
    assertThat(code(send("late"))).isEqualTo(ErrorCode.UNAVAILABLE);
    log.commit();
    assertThat(closed.isComplete()).isFalse();
    log.commit();
    assertThat(a.succeeded() && b.succeeded() && closed.succeeded() && log.closed).isTrue();
  }

  @Test
  void closingWithoutADatabaseRefusesWhatWaits() {
    log.refuseConnects = Integer.MAX_VALUE;
    Future<Sent> a = send("a");
    Future<Void> closed = writer.close();
    timing.pass(Duration.ofSeconds(2));
    assertThat(code(a)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(closed.succeeded()).isTrue();
  }

  @Test
  void changesAndSendsGoInTheOrderInWhichAllCame() {
    send("a").onSuccess(_ -> story.add("a"));
    edit("e").onSuccess(_ -> story.add("e"));
    send("b").onSuccess(_ -> story.add("b"));
    send("c").onSuccess(_ -> story.add("c"));
    delete().onSuccess(_ -> story.add("d"));
    send("f").onSuccess(_ -> story.add("f"));
    log.commit();
    assertThat(log.runs).hasSize(1);
    assertThat(groups()).containsExactly(List.of("a"));
    log.commitChanges();
    assertThat(log.runs).hasSize(1);
    assertThat(groups().getLast()).containsExactly("b", "c");
    log.commit();
    assertThat(log.runs).hasSize(2);
    log.commitChanges();
    log.commit();
    assertThat(story)
        .containsExactly(
            "a",
            "announce 1",
            "e",
            "announce 1",
            "b",
            "c",
            "announce 2",
            "d",
            "announce 1",
            "f",
            "announce 1");
  }

  @Test
  void theEventOfAChangeIsItsFrame() {
    edit("e");
    log.commitChanges();
    assertThat(new String(announced.getFirst().frame(), StandardCharsets.UTF_8))
        .contains("\"kind\":\"message.edited\"", "\"body\":\"now\"", "\"ts\":2000", "\"epoch\":7");
    delete();
    log.commitChanges();
    assertThat(new String(announced.getLast().frame(), StandardCharsets.UTF_8))
        .contains("\"kind\":\"message.deleted\"", "\"seq\":1", "\"deleted_by\"")
        .doesNotContain("now");
  }

  @Test
  void changesThatWereKnownOrRefusedAreNotAnnounced() {
    Future<Changed> retry = edit("e");
    Message message = Message.sent(ROOM, new Seq(1), new Rev(1), ANN, hello("c"), null, 1_000);
    log.changeCalls.getLast().complete(List.of(new ChangeOutcome.Known(new Rev(9), message)));
    assertThat(retry.result()).isEqualTo(new Changed(new Rev(9), message));
    Future<Changed> late = delete();
    log.changeCalls
        .getLast()
        .complete(List.of(new ChangeOutcome.Refused(StoredRefusal.of("gone", 0))));
    assertThat(code(late)).isEqualTo(ErrorCode.GONE);
    assertThat(announced).isEmpty();
  }

  @Test
  void aChangeWhoseConnectionIsLostIsSettledAndAnnouncedBeforeWhatComesAfter() {
    Future<Changed> edited = edit("e");
    Future<Sent> after = send("after");
    log.refuseConnects = 2;
    log.loseConnectionOfChanges();
    assertThat(code(edited)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(log.foundRuns).isEmpty();
    assertThat(groups()).isEmpty();
    timing.pass(Duration.ofSeconds(2));
    assertThat(log.foundRuns).hasSize(1);
    assertThat(story).containsExactly("announce 1");
    assertThat(groups()).containsExactly(List.of("after"));
    log.commit();
    assertThat(after.succeeded()).isTrue();
  }

  @Test
  void whatIsStoredMakesRoomForMore() {
    String large = "x".repeat(16_384);
    long fit = MemoryShares.ofProcess().writers() / large.length();
    for (int i = 0; i < fit; i++) {
      Future<Sent> sent = writer.append(Chat.draft(1, 1, "c" + i, large));
      log.commit();
      assertThat(sent.succeeded()).isTrue();
    }
  }

  @Test
  void aChangeBehindAGroupWhoseConnectionIsLostWaitsUntilThatIsSettled() {
    Future<Sent> lost = send("lost");
    Future<Changed> deleted = delete();
    log.loseConnection();
    assertThat(code(lost)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(log.found).hasSize(1);
    assertThat(story).containsExactly("announce 1");
    assertThat(log.runs).hasSize(1);
    log.commitChanges();
    assertThat(deleted.succeeded()).isTrue();
  }

  @Test
  void changesThatArriveWhileACallIsInFlightGoTogetherInTheNext() {
    edit("a");
    List<Future<Changed>> later = List.of(edit("b"), delete(), edit("c", 2));
    assertThat(log.runs).hasSize(1);
    log.commitChanges();
    assertThat(log.runs).hasSize(2);
    assertThat(log.runs.getLast())
        .containsExactly(
            Chat.edit(1, 1, 1, "b", "now"), Chat.deletion(1, 1, 1), Chat.edit(2, 1, 1, "c", "now"));
    log.commitChanges();
    assertThat(Future.all(later).succeeded()).isTrue();
    assertThat(story).containsExactly("announce 1", "announce 3");
  }

  @Test
  void aRunOfChangesWhoseConnectionIsLostIsSettledAsAWhole() {
    edit("a");
    Future<Changed> first = edit("b");
    Future<Changed> second = delete();
    log.commitChanges();
    log.loseConnectionOfChanges();
    assertThat(List.of(code(first), code(second))).containsOnly(ErrorCode.UNAVAILABLE);
    assertThat(log.foundRuns).containsExactly(log.runs.getLast());
    assertThat(story).containsExactly("announce 1", "announce 2");
  }

  @Test
  void changesOfALockedRoomArePutAsideWhileOthersGoOn() {
    log.locked.add(ROOM);
    edit("flying", 2);
    Future<Changed> held = edit("held", 1);
    Future<Changed> free = edit("free", 2);
    log.commitChanges();
    log.changeCalls.getLast().fail(lockTimeout);
    log.commitChanges();
    assertThat(free.succeeded()).isTrue();
    assertThat(held.isComplete()).isFalse();
    log.locked.clear();
    timing.pass(Duration.ofMillis(60));
    log.commitChanges();
    assertThat(held.succeeded()).isTrue();
  }

  @Test
  void aChangeThatIsRolledBackHurtsOnlyItself() {
    Future<Changed> busy = edit("busy");
    Future<Changed> bad = edit("bad");
    Future<Changed> good = edit("good");
    log.changeCalls.getLast().fail(cancelled);
    log.changeCalls.getLast().fail(badData);
    log.changeCalls.getLast().fail(badData);
    log.commitChanges();
    assertThat(code(busy)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(bad.cause()).isSameAs(badData);
    assertThat(good.succeeded()).isTrue();
  }

  @Test
  void changesThatWaitCountAndExpireLikeSends() {
    send("flying");
    List<Future<Changed>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waiting.add(edit("waiting" + i));
    }
    assertThat(code(edit("too many"))).isEqualTo(ErrorCode.UNAVAILABLE);
    timing.pass(WAIT_LIMIT.plusMillis(2));
    assertThat(waiting).allMatch(w -> code(w) == ErrorCode.UNAVAILABLE);
    log.commit();
    assertThat(log.runs).isEmpty();
  }

  private Future<Changed> edit(String clientId) {
    return edit(clientId, 1);
  }

  private Future<Changed> edit(String clientId, long room) {
    return writer.change(Chat.edit(room, 1, 1, clientId, "now"));
  }

  private Future<Changed> delete() {
    return writer.change(Chat.deletion(1, 1, 1));
  }

  private static SendFields hello(String clientId) {
    return new SendFields(new ClientId(clientId), MessageType.TEXT, "hello", null, null);
  }

  private Future<Sent> send(String clientId) {
    return send(clientId, 1);
  }

  private Future<Sent> send(String clientId, long room) {
    return writer.append(
        new Draft(
            new RoomId(room),
            new AccountId(1),
            new ClientId(clientId),
            MessageType.TEXT,
            "hello",
            null,
            null));
  }

  private List<List<String>> groups() {
    return log.groups.stream()
        .map(group -> group.stream().map(draft -> draft.clientId().value()).toList())
        .toList();
  }

  private static ErrorCode code(Future<?> failed) {
    return ((Refusal) failed.cause()).code();
  }

  private static PgException error(String severity, String state) {
    return new PgException("no", severity, state, "");
  }
}
