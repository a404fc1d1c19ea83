package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Origin;
import io.confab.feed.DigestWatch.Way;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoomFeedsTest {
  private static final int ROOMS = 3_000;
  private static final long FEED_BYTES = 100_000;

  private final List<Runnable> timers = new ArrayList<>();
  private final List<Integer> positionReads = new ArrayList<>();
  private final List<RoomId> eventReads = new ArrayList<>();
  private final FakeBroker broker = new FakeBroker();
  private final FeedHub hub =
      new FeedHub(
          broker,
          new FakeRecent(),
          FakeBroker::sealed,
          new DigestLog(),
          new DatabaseEpoch(new Epoch(1)));
  private final RecordingLoop loop = new RecordingLoop();
  private final Meters meters = new Meters();
  private boolean away;
  private final RoomFeeds feeds =
      new RoomFeeds(
          new Handover(Runnable::run, FEED_BYTES),
          hub,
          new Log(),
          (_, action) -> timers.add(action),
          meters,
          FEED_BYTES);

  /// Every room stands at 5.
  private final class Log implements EventSource {
    @Override
    public Future<EventPage> read(RoomId room, Rev after, int limit) {
      eventReads.add(room);
      return Future.succeededFuture(
          new EventPage(
              room,
              new Epoch(1),
              LongStream.rangeClosed(after.value() + 1, 5)
                  .mapToObj(rev -> event(room, rev))
                  .toList(),
              new Rev(5)));
    }

    @Override
    public Future<Positions> positions(List<RoomId> rooms) {
      positionReads.add(rooms.size());
      return away
          ? Future.failedFuture("away")
          : Future.succeededFuture(
              new Positions(
                  new Epoch(1),
                  rooms.stream().map(r -> new RoomPosition(r, new Seq(5), new Rev(5))).toList()));
    }

    @Override
    public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
      return Future.failedFuture("not asked for");
    }
  }

  private static Event event(RoomId room, long rev) {
    return new Event(room, new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  private static final class Deaf implements Subscriber {
    private int heard;

    @Override
    public void ready() {}

    @Override
    public void event(Event event) {
      heard++;
    }
  }

  private void follow(int rooms) {
    broker.hears = true;
    for (int room = 0; room < rooms; room++) {
      feeds.attach(new RoomId(room), new Deaf());
    }
    hub.onCompareAll(loop::compareAll);
    positionReads.clear();
  }

  private void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void withQuietPeersHoldingManyRoomsCostsNoReads() {
    follow(ROOMS);
    DigestCodec codec = new DigestCodec(new byte[1]);
    Origin self = new Origin(new NodeId("me"), 1);
    Origin peer = new Origin(new NodeId("peer"), 2);
    List<byte[]> published = new ArrayList<>();
    Digests digests =
        new Digests(
            new DigestWatch(self, Duration.ofSeconds(6), 0),
            codec,
            hub,
            new Digests.Epochs(() -> new Epoch(1), _ -> {}),
            new Digests.Ways() {
              @Override
              public void overRedis(byte[] digest) {
                published.add(digest);
              }

              @Override
              public void overBus(byte[] digest) {
                throw new AssertionError("Redis is there");
              }

              @Override
              public boolean redisIsUp() {
                return true;
              }
            },
            meters);
    for (int number = 1; number <= 1_000; number++) {
      long now = TimeUnit.MILLISECONDS.toNanos(500L * number);
      digests.publish(false, now);
      digests.heard(Way.REDIS, published.getLast(), now);
      digests.heard(
          Way.REDIS,
          codec.encode(
              new Digest(
                  peer, number, false, new Epoch(1), new Contents(List.of(), List.of(), false))),
          now);
      digests.tick(now);
      if (number == 20) {
        loop.told.clear(); // the comparisons with which a node begins
      }
    }
    assertThat(loop.told).isEmpty();
    assertThat(positionReads).isEmpty();
    assertThat(eventReads).isEmpty();
  }

  private Event large(int room, long rev) {
    return new Event(
        new RoomId(room), new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[16_000]);
  }

  private int remembered(List<Subscription> followed) {
    return (int) followed.stream().filter(each -> each.since(new Rev(5)) != null).count();
  }

  @Test
  void whatIsRememberedIsBoundedInBytesAndTheColdestRoomsForgetFirst() {
    broker.hears = true;
    List<Subscription> followed = new ArrayList<>();
    for (int room = 0; room < 24; room++) {
      followed.add(feeds.attach(new RoomId(room), new Deaf()));
      feeds.events(List.of(large(room, 6)));
    }
    int fit = (int) (FEED_BYTES / large(0, 6).bytes());
    assertThat(remembered(followed)).isEqualTo(fit);
    assertThat(remembered(followed.subList(24 - fit, 24))).isEqualTo(fit);
    feeds.events(List.of(large(0, 7)));
    assertThat(followed.getFirst().since(new Rev(6))).hasSize(1);
    assertThat(remembered(followed.subList(24 - fit + 1, 24))).isEqualTo(fit - 1);
    for (int rev = 8; rev < 100; rev++) {
      feeds.events(List.of(large(0, rev)));
      assertThat(followed.getFirst().head()).isEqualTo(new Rev(rev));
      assertThat(followed.getFirst().since(new Rev(rev))).isEmpty();
    }
    assertThat(remembered(followed)).isZero();
  }

  @Test
  void whatIsHeldIsBoundedInBytesTooAndIsFetchedLater() {
    broker.hears = true;
    Deaf deaf = new Deaf();
    feeds.attach(new RoomId(1), deaf);
    for (int rev = 7; rev < 100; rev++) {
      feeds.events(List.of(large(1, rev))); // 6 is missing
    }
    assertThat(deaf.heard).isZero();
    fireTimers();
    assertThat(eventReads).contains(new RoomId(1));
  }

  @Test
  void aLoopThatIsBehindIsToldWhereARoomStandsInsteadOfItsEvents() {
    broker.hears = true;
    Queue<Runnable> waiting = new ArrayDeque<>();
    RoomFeeds behind =
        new RoomFeeds(
            new Handover(waiting::add, FEED_BYTES),
            hub,
            new Log(),
            (_, action) -> timers.add(action),
            meters,
            FEED_BYTES);
    Deaf deaf = new Deaf();
    Subscription followed = behind.attach(new RoomId(1), deaf);
    for (int rev = 6; rev < 1_000; rev++) {
      behind.events(List.of(large(1, rev)));
      behind.signal(
          new RoomSignal(
              new RoomId(1),
              new AccountId(1),
              new RoomSignal.State("typing", Duration.ZERO),
              Set.of(),
              new byte[90]));
      behind.moved(new RoomId(2), new Rev(rev));
    }
    assertThat(waiting.size()).isLessThan(2 * (int) (FEED_BYTES / 200));
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
    assertThat(deaf.heard).isEqualTo((int) (FEED_BYTES / large(1, 6).bytes()));
    assertThat(eventReads).isEmpty();
    fireTimers();
    assertThat(eventReads).containsExactly(new RoomId(1));
    assertThat(followed.head()).isEqualTo(new Rev(5 + deaf.heard));
  }

  @Test
  void comparingReadsAllRoomsInChunks() {
    follow(ROOMS);
    Future<Void> done = feeds.refreshAll();
    assertThat(done.succeeded()).isTrue();
    assertThat(positionReads.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROOMS);
    assertThat(positionReads).allMatch(size -> size <= 1_000);
  }

  @Test
  void whatADigestSaysIsFetchedForThatRoomAloneAfterAMoment() {
    follow(10);
    feeds.moved(new RoomId(3), new Rev(5));
    assertThat(timers).isEmpty();
    feeds.moved(new RoomId(3), new Rev(6));
    feeds.moved(new RoomId(99), new Rev(6));
    assertThat(eventReads).isEmpty();
    fireTimers();
    assertThat(eventReads).containsOnly(new RoomId(3));
    assertThat(positionReads).isEmpty();
  }

  @Test
  void whenTheDatabaseIsBackEverythingIsComparedOnce() {
    follow(10);
    away = true;
    Future<Void> done = feeds.refreshAll();
    fireTimers();
    fireTimers();
    assertThat(loop.told).isEmpty();
    assertThat(done.isComplete()).isFalse();
    away = false;
    fireTimers();
    assertThat(done.succeeded()).isTrue();
    assertThat(loop.told).containsExactly("compare all");
    feeds.refreshAll();
    assertThat(loop.told).hasSize(1);
    assertThat(meters.scrape()).contains("confab_comparisons_total{reason=\"database\"} 1");
  }
}
