package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.PresenceChanged;
import io.confab.feed.AccountSignal.StatusTextChanged;
import io.confab.feed.AccountSignal.VisibilityChanged;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.presence.PresenceCommand.FindPresence;
import io.confab.presence.PresenceCommand.Look;
import io.confab.presence.PresenceCommand.Presence;
import io.confab.presence.PresenceCommand.Presences;
import io.confab.presence.PresenceCommand.Sights;
import io.confab.presence.Sight;
import io.confab.protocol.AccountId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.confab.protocol.Refusal;
import io.confab.protocol.ServerFrame;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One session that watches Bob. Everything is on one thread.
class PresenceWatchTest {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);

  private static final AccountId NOBODY = new AccountId(99);

  /// Ann and 16 more have it in their half; the share is two.
  private static final long MEMORY = 32L * (WatchMemory.SIGHTING + WatchMemory.ACCOUNT);

  private final FakeOutbound out = new FakeOutbound();
  private final FakeBroker broker = new FakeBroker();
  private final FeedHub hub =
      new FeedHub(
          broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), new DatabaseEpoch());
  private final Requests bus = new Answers();
  private boolean away;
  private boolean visible = true;

  /// Until then looks are not answered.
  private @Nullable Promise<Void> slow;

  private PresenceStatus stands = PresenceStatus.OFFLINE;
  private long version = 10;
  private long seenAt = 5;
  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 2_048, () -> now);
  private WatchedAccounts accounts;
  private PresenceWatch watch;

  private final class Answers implements Requests {
    @Override
    @SuppressWarnings("unchecked") // the answers are those of the commands
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      if (away) {
        return Future.failedFuture(Refusal.unavailable("PostgreSQL is away"));
      }
      return switch (command) {
        case Look look -> {
          Sights found =
              new Sights(
                  look.accounts().stream()
                      .map(account -> account.equals(NOBODY) ? Sight.NOTHING : sight())
                      .toList());
          Future<Void> when = slow == null ? Future.succeededFuture() : slow.future();
          yield (Future<R>) when.map(found);
        }
        case FindPresence find ->
            (Future<R>)
                Future.succeededFuture(
                    new Presences(
                        find.accounts().stream()
                            .map(account -> new Presence(account, stands, version))
                            .toList(),
                        true));
        default -> throw new AssertionError(command);
      };
    }
  }

  private Sight sight() {
    return new Sight(visible, visible, seenAt, "Hi", 1);
  }

  @BeforeEach
  void open() {
    broker.hears = true;
    accounts =
        new WatchedAccounts(
            new Handover(Runnable::run, 1 << 20), hub, bus, wheel, new Meters(), MEMORY);
    watch = new PresenceWatch(ANN, out, bus, accounts, rooms());
  }

  private WatchedRooms rooms() {
    return new WatchedRooms(TestLoop.of(wheel, hub, new FakeRooms(), bus, accounts), bus);
  }

  private PresenceView watchBob() {
    assertThat(watch.answer("1", List.of(BOB), List.of()).succeeded()).isTrue();
    return answer().accounts().getFirst();
  }

  /// Takes the answer to a watch from what was sent.
  private ServerFrame.PresenceState answer() {
    return (ServerFrame.PresenceState) out.sent.removeLast();
  }

  private void pass(Duration time) {
    for (long ticks = time.toMillis() / 10; ticks >= 0; ticks--) {
      now += Duration.ofMillis(10).toNanos();
      wheel.advance();
    }
  }

  private void becomes(PresenceStatus status, long at) {
    hub.signal(new PresenceChanged(BOB, status, at, at));
  }

  private static ServerFrame.Presence frame(PresenceStatus status, long seen) {
    return new ServerFrame.Presence(
        BOB, status, status.isPresent() ? null : Long.valueOf(seen), "Hi");
  }

  @Test
  void anAccountIsToldAtOnceAndThenOnceASecond() {
    assertThat(watchBob()).isEqualTo(new PresenceView(BOB, PresenceStatus.OFFLINE, 5L, "Hi"));
    becomes(PresenceStatus.ONLINE, 20);
    assertThat(out.sent).containsExactly(frame(PresenceStatus.ONLINE, 0));
    becomes(PresenceStatus.AWAY, 21);
    becomes(PresenceStatus.OFFLINE, 22);
    assertThat(out.sent).hasSize(1);
    pass(Duration.ofMillis(1_100));
    assertThat(out.sent)
        .containsExactly(frame(PresenceStatus.ONLINE, 0), frame(PresenceStatus.OFFLINE, 22));
  }

  @Test
  void whatIsOldOrTheSameIsNotTold() {
    watchBob();
    becomes(PresenceStatus.ONLINE, 9);
    becomes(PresenceStatus.OFFLINE, 9);
    assertThat(out.sent).isEmpty();
    becomes(PresenceStatus.ONLINE, 20);
    pass(Duration.ofSeconds(2));
    becomes(PresenceStatus.AWAY, 21);
    becomes(PresenceStatus.ONLINE, 22);
    pass(Duration.ofSeconds(2));
    assertThat(out.sent)
        .contains(frame(PresenceStatus.ONLINE, 0))
        .last()
        .isEqualTo(frame(PresenceStatus.ONLINE, 0));
  }

  @Test
  void whoMayNotKnowIsToldNothing() {
    visible = false;
    assertThat(watchBob()).isEqualTo(PresenceView.hidden(BOB));
    becomes(PresenceStatus.ONLINE, 20);
    hub.signal(new StatusTextChanged(BOB, "Secret", 20));
    pass(Duration.ofSeconds(2));
    assertThat(out.sent).isEmpty();
    visible = true;
    hub.signal(new VisibilityChanged(BOB));
    assertThat(out.sent)
        .containsExactly(new ServerFrame.Presence(BOB, PresenceStatus.ONLINE, null, "Secret"));
    visible = false;
    hub.signal(new VisibilityChanged(BOB));
    assertThat(out.sent.getLast())
        .isEqualTo(new ServerFrame.Presence(BOB, PresenceStatus.OFFLINE, null, null));
  }

  @Test
  void whoHidesWhileALookIsUnderWayIsHidden() {
    Promise<Void> first = Promise.promise();
    slow = first;
    watch.answer("1", List.of(BOB), List.of());
    slow = null;
    visible = false;
    hub.signal(new VisibilityChanged(BOB));
    first.complete();
    assertThat(answer().accounts()).containsExactly(PresenceView.hidden(BOB));
    becomes(PresenceStatus.ONLINE, 20);
    pass(Duration.ofSeconds(2));
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aFullSocketIsToldWhatIsDifferentWhenItHasDrained() {
    watchBob();
    out.full = true;
    becomes(PresenceStatus.ONLINE, 20);
    pass(Duration.ofSeconds(2));
    becomes(PresenceStatus.AWAY, 21);
    pass(Duration.ofSeconds(2));
    assertThat(out.sent).isEmpty();
    out.drain();
    assertThat(out.sent).containsExactly(frame(PresenceStatus.AWAY, 0));
  }

  @Test
  void watchesThatMeetAFullSocketWaitForIt() {
    out.full = true;
    Future<Void> first = watch.answer("1", List.of(BOB), List.of());
    Future<Void> second = watch.answer("2", List.of(ANN), List.of());
    pass(Duration.ofSeconds(2));
    assertThat(out.sent).isEmpty();
    out.fillsAfter(1);
    out.drain();
    assertThat(first.succeeded()).isTrue();
    assertThat(second.isComplete()).as("the first answer has filled it").isFalse();
    assertThat(answer().re()).isEqualTo("1");
    out.drain();
    assertThat(second.succeeded()).isTrue();
    assertThat(answer().re()).isEqualTo("2");
  }

  @Test
  void whatWasMissedIsFoundWithinHalfAMinute() {
    watchBob();
    stands = PresenceStatus.ONLINE;
    version = 30;
    pass(Duration.ofSeconds(31));
    assertThat(out.sent).containsExactly(frame(PresenceStatus.ONLINE, 0));
  }

  @Test
  void whenSomebodyWasThereLastIsFoundWithTheLostSignalThatTheyLeft() {
    stands = PresenceStatus.ONLINE;
    watchBob();
    stands = PresenceStatus.OFFLINE;
    version = 30;
    seenAt = 29;
    pass(Duration.ofSeconds(33));
    assertThat(out.sent.getLast()).isEqualTo(frame(PresenceStatus.OFFLINE, 29));
  }

  @Test
  void whoHidWithoutASignalIsHiddenWithinFiveMinutes() {
    stands = PresenceStatus.ONLINE;
    assertThat(watchBob().status()).isEqualTo(PresenceStatus.ONLINE);
    visible = false;
    pass(Duration.ofSeconds(301));
    assertThat(out.sent)
        .containsExactly(new ServerFrame.Presence(BOB, PresenceStatus.OFFLINE, null, null));
  }

  @Test
  void anotherWatchTakesThePlaceOfTheFormerOne() {
    watchBob();
    assertThat(watch.answer("2", List.of(), List.of()).succeeded()).isTrue();
    assertThat(answer().accounts()).isEmpty();
    becomes(PresenceStatus.ONLINE, 20);
    assertThat(out.sent).isEmpty();
    assertThat(broker.asked).contains("unwatch account 2");
  }

  private static List<AccountId> many(int count) {
    return LongStream.range(0, count).mapToObj(i -> new AccountId(10 + i)).toList();
  }

  private static void assertRefused(Future<Void> answer) {
    assertThat(answer.cause())
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void oneAccountLeavesRoomForOthers() {
    assertThat(watch.answer("1", many(15), List.of()).succeeded()).isTrue();
    assertRefused(watch.answer("2", many(17), List.of()));
    assertThat(watch.answer("3", many(15), List.of()).succeeded()).isTrue();
    PresenceWatch again = new PresenceWatch(ANN, out, bus, accounts, rooms());
    assertRefused(again.answer("4", many(16), List.of()));
    PresenceWatch other = new PresenceWatch(BOB, out, bus, accounts, rooms());
    assertThat(other.answer("5", many(2), List.of()).succeeded()).as("its share").isTrue();
    watch.close();
    again.close();
    other.close();
    PresenceWatch last = new PresenceWatch(ANN, out, bus, accounts, rooms());
    assertThat(last.answer("6", many(15), List.of()).succeeded()).as("all came back").isTrue();
  }

  @Test
  void aRoomThatGrowsBeyondWhatThereIsRoomForEndsTheSession() {
    assertThat(watch.answer("1", many(15), List.of()).succeeded()).isTrue();
    watch.see(new AccountId(15), 1);
    pass(Duration.ofSeconds(1));
    assertThat(out.closes).isEmpty();
    watch.see(new AccountId(50), 1);
    watch.see(new AccountId(51), 1);
    pass(Duration.ofSeconds(1));
    assertThat(out.closes).containsExactly(CloseCode.RESYNC);
  }

  @Test
  void idsThatNobodyHasTakeNothing() {
    assertThat(watch.answer("1", List.of(NOBODY, BOB), List.of()).succeeded()).isTrue();
    assertThat(answer().accounts())
        .extracting(PresenceView::accountId)
        .containsExactly(NOBODY, BOB);
    assertThat(broker.asked)
        .contains("watch account " + BOB.value())
        .doesNotContain("watch account " + NOBODY.value());
    assertThat(watch.sightings()).hasSize(1);
  }

  @Test
  void afterAFailureNothingIsWatched() {
    watchBob();
    away = true;
    assertThat(watch.answer("2", List.of(BOB, new AccountId(3)), List.of()).failed()).isTrue();
    becomes(PresenceStatus.ONLINE, 20);
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aClosedSessionListensToNobody() {
    watchBob();
    watch.close();
    assertThat(broker.asked).contains("unwatch account 2", "unwatch account 1");
  }
}
