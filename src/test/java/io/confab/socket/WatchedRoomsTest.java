package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.Removed;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.presence.PresenceCommand.FindMemberships;
import io.confab.presence.PresenceCommand.FindPresence;
import io.confab.presence.PresenceCommand.FindRooms;
import io.confab.presence.PresenceCommand.FoundRoom;
import io.confab.presence.PresenceCommand.FoundRooms;
import io.confab.presence.PresenceCommand.Look;
import io.confab.presence.PresenceCommand.Memberships;
import io.confab.presence.PresenceCommand.Presence;
import io.confab.presence.PresenceCommand.Presences;
import io.confab.presence.PresenceCommand.Sights;
import io.confab.presence.Sight;
import io.confab.protocol.AccountId;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sessions that watch a room of Ann, Bob and Cleo, who are there. Everything is on one thread.
class WatchedRoomsTest {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);
  private static final AccountId CLEO = new AccountId(3);
  private static final RoomId TEA = new RoomId(7);

  private final FakeRooms log = new FakeRooms();
  private final Map<Long, Set<AccountId>> members = new TreeMap<>();
  private final Requests bus = new Database();
  private final List<Command<?>> asked = new ArrayList<>();
  private boolean away;

  /// Answers to these kinds wait until the test gives them.
  private final Set<Class<?>> held = new HashSet<>();

  private final List<Runnable> waiting = new ArrayList<>();
  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 2_048, () -> now);
  private final FeedHub hub =
      new FeedHub(
          log.broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), new DatabaseEpoch());
  private WatchedAccounts accounts;
  private WatchedRooms rooms;

  private final class Database implements Requests {
    @Override
    @SuppressWarnings("unchecked") // the answers are those of the commands
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      asked.add(command);
      if (away) {
        return Future.failedFuture(Refusal.unavailable("PostgreSQL is away"));
      }
      Promise<R> promise = Promise.promise();
      R answer = (R) answer(command);
      if (held.contains(command.getClass())) {
        waiting.add(() -> promise.complete(answer));
      } else {
        promise.complete(answer);
      }
      return promise.future();
    }
  }

  private BusMessage answer(Command<?> command) {
    return switch (command) {
      case Look look ->
          new Sights(
              look.accounts().stream().map(_ -> new Sight(true, true, null, "", 1)).toList());
      case FindPresence find ->
          new Presences(
              find.accounts().stream()
                  .map(account -> new Presence(account, PresenceStatus.ONLINE, 1))
                  .toList(),
              true);
      case FindRooms(var viewer, var some) ->
          new FoundRooms(
              some.stream()
                  .filter(room -> viewer == null || of(room).contains(viewer))
                  .map(room -> new FoundRoom(room, of(room).size(), List.copyOf(of(room))))
                  .toList());
      case FindMemberships(var viewers, var some) ->
          new Memberships(
              IntStream.range(0, some.size())
                  .mapToObj(i -> of(some.get(i)).contains(viewers.get(i)))
                  .toList());
      default -> throw new AssertionError(command);
    };
  }

  private Set<AccountId> of(RoomId room) {
    return members.getOrDefault(room.value(), Set.of());
  }

  @BeforeEach
  void open() {
    accounts =
        new WatchedAccounts(
            new Handover(Runnable::run, 1 << 20), hub, bus, wheel, new Meters(), 1 << 24);
    rooms = new WatchedRooms(TestLoop.of(wheel, hub, log, bus, accounts), bus);
    members.put(TEA.value(), new LinkedHashSet<>(List.of(ANN, BOB, CLEO)));
  }

  private PresenceWatch watch(AccountId viewer, RoomId... some) {
    PresenceWatch watch = new PresenceWatch(viewer, new FakeOutbound(), bus, accounts, rooms);
    List<String> ids = Stream.of(some).map(RoomId::toString).toList();
    assertThat(watch.answer("1", List.of(), ids).succeeded()).isTrue();
    return watch;
  }

  private void pass(Duration time) {
    for (long ticks = time.toMillis() / 10; ticks >= 0; ticks--) {
      now += Duration.ofMillis(10).toNanos();
      wheel.advance();
    }
  }

  private void leave(AccountId account) {
    Objects.requireNonNull(members.get(TEA.value())).remove(account);
  }

  private <C> List<C> asked(Class<C> kind) {
    return asked.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void aComparisonReadsARoomOnceForAllWhoWatchIt() {
    List<RoomId> all = LongStream.range(100, 160).mapToObj(RoomId::new).toList();
    List<AccountId> people = LongStream.range(10, 30).mapToObj(AccountId::new).toList();
    all.forEach(room -> members.put(room.value(), new LinkedHashSet<>(people)));
    people.forEach(person -> watch(person, all.toArray(RoomId[]::new)));
    pass(Duration.ofSeconds(3));
    asked.clear();
    accounts.compareAll();
    pass(Duration.ofMillis(20));
    assertThat(asked(FindRooms.class)).allMatch(read -> read.viewer() == null);
    assertThat(asked(FindRooms.class).stream().map(read -> read.rooms().size()))
        .as("at most 50 at a time")
        .allMatch(size -> size <= 50);
    assertThat(asked(FindRooms.class).stream().flatMap(read -> read.rooms().stream()))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(asked(FindMemberships.class).stream().mapToInt(check -> check.rooms().size()).sum())
        .isEqualTo(all.size() * people.size());
    assertThat(asked(FindMemberships.class)).allMatch(check -> check.rooms().size() <= 1_000);
  }

  @Test
  void whoIsNoMemberAnyMoreWatchesNoMore() {
    PresenceWatch watch = watch(BOB, TEA);
    assertThat(watch.sightings()).hasSize(3);
    leave(BOB);
    accounts.compareAll();
    pass(Duration.ofMillis(20));
    assertThat(watch.sightings()).isEmpty();
  }

  private void join(AccountId account) {
    Objects.requireNonNull(members.get(TEA.value())).add(account);
  }

  private void giveAnswers() {
    held.clear();
    List<Runnable> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(Runnable::run);
  }

  private void settle() {
    pass(Duration.ofSeconds(3));
  }

  @Test
  void aReadFromBeforeSomebodyJoinedEndsNoWatch() {
    leave(BOB);
    watch(ANN, TEA);
    settle();
    held.add(FindRooms.class);
    accounts.compareAll();
    pass(Duration.ofSeconds(11));
    assertThat(waiting).as("a read of the room without Bob").hasSize(1);
    join(BOB);
    held.clear();
    PresenceWatch bobs = watch(BOB, TEA);
    giveAnswers();
    settle();
    assertThat(bobs.sightings()).as("Bob watches all three").hasSize(3);
  }

  @Test
  void aLookFromBeforeSomebodyCameBackEndsNoWatch() {
    PresenceWatch watch = watch(BOB, TEA);
    settle();
    held.add(FindMemberships.class);
    leave(BOB);
    hub.signal(new Removed(BOB, TEA, LeaveReason.REMOVED));
    assertThat(waiting).hasSize(1);
    join(BOB);
    assertThat(watch.answer("2", List.of(), List.of(TEA.toString())).succeeded()).isTrue();
    giveAnswers();
    settle();
    assertThat(watch.sightings()).hasSize(3);
  }

  @Test
  void whoJoinsBeforeTheRoomIsListenedToIsFound() {
    leave(CLEO);
    held.add(FindRooms.class);
    PresenceWatch watch = new PresenceWatch(ANN, new FakeOutbound(), bus, accounts, rooms);
    watch.answer("1", List.of(), List.of(TEA.toString()));
    join(CLEO);
    giveAnswers();
    settle();
    assertThat(watch.sightings()).hasSize(3);
  }

  @Test
  void whatASessionReadEarlierTakesNobodyOutOfTheRoom() {
    leave(CLEO);
    PresenceWatch anns = watch(ANN, TEA);
    settle();
    held.add(FindRooms.class);
    PresenceWatch bobs = new PresenceWatch(BOB, new FakeOutbound(), bus, accounts, rooms);
    bobs.answer("1", List.of(), List.of(TEA.toString()));
    join(CLEO);
    held.clear();
    accounts.compareAll();
    pass(Duration.ofSeconds(11));
    assertThat(anns.sightings()).hasSize(3);
    giveAnswers();
    settle();
    assertThat(anns.sightings()).hasSize(3);
    assertThat(bobs.sightings()).hasSize(3);
  }

  @Test
  void whetherSomebodyIsStillAMemberIsLookedUpUntilItIsKnown() {
    PresenceWatch watch = watch(BOB, TEA);
    pass(Duration.ofSeconds(3));
    leave(BOB);
    away = true;
    hub.signal(new Removed(BOB, TEA, LeaveReason.REMOVED));
    pass(Duration.ofSeconds(3));
    assertThat(watch.sightings()).hasSize(3);
    away = false;
    pass(Duration.ofSeconds(2));
    assertThat(watch.sightings()).isEmpty();
  }
}
