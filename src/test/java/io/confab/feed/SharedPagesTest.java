package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SharedPagesTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final int LIMIT = 200;

  private final FakeBroker broker = new FakeBroker();
  private final FakeRecent recent = new FakeRecent();
  private final Log log = new Log();
  private final Meters meters = new Meters();
  private final RoomFeeds feeds =
      new RoomFeeds(
          new Handover(Runnable::run, 1 << 20),
          new FeedHub(
              broker, recent, FakeBroker::sealed, new DigestLog(), new DatabaseEpoch(new Epoch(1))),
          log,
          (_, _) -> {},
          meters,
          1 << 20);
  private final SharedPages pages = new SharedPages(feeds, log, recent, meters, 64 << 20);

  /// A room whose log is `stands` long; reads are answered when the test says so.
  private static final class Log implements EventSource {
    private final List<String> reads = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private long stands;
    private boolean away;

    /// So many events of a read are as large as a page may be.
    private int largest = Integer.MAX_VALUE;

    @Override
    public Future<EventPage> read(RoomId room, Rev after, int limit) {
      reads.add(after + "+" + limit);
      Promise<EventPage> promise = Promise.promise();
      answers.add(
          () -> {
            if (away) {
              promise.fail(Refusal.unavailable("away"));
            } else {
              long to = Math.min(stands, after.value() + Math.min(limit, largest));
              promise.complete(
                  new EventPage(
                      room, new Epoch(1), events(after.value() + 1, to), new Rev(stands)));
            }
          });
      return promise.future();
    }

    void answer() {
      List<Runnable> now = List.copyOf(answers);
      answers.clear();
      now.forEach(Runnable::run);
    }

    @Override
    public Future<Positions> positions(List<RoomId> rooms) {
      return Future.succeededFuture(
          new Positions(
              new Epoch(1),
              rooms.stream()
                  .map(room -> new RoomPosition(room, new Seq(stands), new Rev(stands)))
                  .toList()));
    }

    @Override
    public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
      return Future.succeededFuture(new Visibilities(List.of()));
    }
  }

  private static Event event(long rev) {
    return new Event(ROOM, new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  private static List<Event> events(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(SharedPagesTest::event).toList();
  }

  /// Somebody follows the room, which stands there.
  private void stands(long rev) {
    log.stands = rev;
    broker.hears = true;
    feeds.attach(
        ROOM,
        new Subscriber() {
          @Override
          public void ready() {}

          @Override
          public void event(Event event) {}
        });
  }

  private void goesOn() {
    log.stands++;
    feeds.events(List.of(event(log.stands)));
  }

  private Future<EventPage> read(long after) {
    return pages.read(ROOM, new Rev(after), LIMIT);
  }

  private static long first(Future<EventPage> page) {
    return page.result().events().getFirst().rev().value();
  }

  private static long last(Future<EventPage> page) {
    return page.result().events().getLast().rev().value();
  }

  @Test
  void readersOfAPageShareOneRead() {
    stands(1_000);
    List<Future<EventPage>> all = LongStream.range(200, 400).mapToObj(this::read).toList();
    assertThat(log.reads).containsExactly("200+400");
    log.answer();
    assertThat(all).allSatisfy(page -> assertThat(first(page)).isEqualTo(201));
    assertThat(all).allSatisfy(page -> assertThat(last(page)).isEqualTo(600));
  }

  @Test
  void aReadThatBeganBeforeAnEventWasToldIsNotForThoseWhoComeAfterIt() {
    stands(1_000);
    Future<EventPage> before = read(500);
    goesOn();
    Future<EventPage> after = read(500);
    goesOn();
    Future<EventPage> later = read(501);
    assertThat(log.reads).hasSize(1);
    log.answer();
    assertThat(before.succeeded()).isTrue();
    assertThat(after.isComplete()).isFalse();
    assertThat(log.reads).hasSize(2);
    Future<EventPage> joins = read(500);
    log.answer();
    assertThat(List.of(after, later, joins)).allMatch(Future::succeeded);
    assertThat(log.reads).hasSize(2);
  }

  @Test
  void afterAReadTheNextOneIsNew() {
    stands(1_000);
    read(500);
    log.answer();
    read(500);
    assertThat(log.reads).hasSize(2);
  }

  @Test
  void aFailureIsToldToAllWhoWaitAndTheNextReadIsNew() {
    stands(1_000);
    log.away = true;
    List<Future<EventPage>> all = List.of(read(500), read(501));
    log.answer();
    assertThat(all).allMatch(Future::failed);
    log.away = false;
    Future<EventPage> again = read(500);
    log.answer();
    assertThat(first(again)).isEqualTo(401);
  }

  @Test
  void soManyReadsAreUnderWayAndTheOthersWaitForTheirTurn() {
    stands(100_000);
    List<Future<EventPage>> all = LongStream.range(0, 40).mapToObj(i -> read(i * LIMIT)).toList();
    assertThat(log.reads).hasSize(16);
    log.answer();
    assertThat(log.reads).hasSize(32);
    log.answer();
    log.answer();
    assertThat(all).allMatch(Future::succeeded);
    assertThat(log.reads).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void whatTheWindowHasIsNotReadFromTheDatabase() {
    recent.added.addAll(events(300, 400));
    stands(400);
    Future<EventPage> page = read(350);
    assertThat(last(page)).isEqualTo(400);
    assertThat(log.reads).isEmpty();
    assertThat(meters.scrape()).contains("confab_recent_window_reads_total{result=\"hit\"} 1.0");
  }

  @Test
  void readersOfTheWindowShareOneRead() {
    recent.added.addAll(events(300, 400));
    recent.held = true;
    stands(400);
    List<Future<EventPage>> all = LongStream.range(352, 384).mapToObj(this::read).toList();
    assertThat(recent.reads).containsExactly("352..400");
    recent.asked.getFirst().complete(events(353, 400));
    assertThat(all).allMatch(Future::succeeded);
    assertThat(log.reads).isEmpty();
  }

  @Test
  void whatTheWindowDoesNotReachIsReadFromTheDatabase() {
    recent.added.addAll(events(352, 400));
    stands(400);
    Future<EventPage> short_ = read(350);
    log.answer();
    assertThat(first(short_)).isEqualTo(201);
    assertThat(log.reads).containsExactly("200+400");
    assertThat(last(read(351))).isEqualTo(400);
    assertThat(meters.scrape()).contains("confab_recent_window_reads_total{result=\"miss\"} 1.0");
  }

  @Test
  void theWindowIsNotAskedForMoreThanItHolds() {
    stands(1_000);
    read(799);
    assertThat(recent.reads).isEmpty();
    read(800);
    assertThat(recent.reads).containsExactly("800..1000");
  }

  @Test
  void ofLargeEventsAPartIsReadAndEverySlowReaderGetsOn() {
    recent.added.addAll(events(201, 400));
    recent.largest = 8;
    stands(400);
    List<Future<EventPage>> all = LongStream.range(352, 384).mapToObj(this::read).toList();
    assertThat(all).allMatch(Future::succeeded);
    assertThat(all.getFirst().result().events()).hasSize(8);
    assertThat(last(all.get(31))).isGreaterThan(383);
    assertThat(log.reads).isEmpty();
  }

  @Test
  void whoTakesFewIsGivenFew() {
    recent.added.addAll(events(201, 400));
    stands(400);
    Future<EventPage> page = pages.read(ROOM, new Rev(354), 4);
    assertThat(first(page)).isEqualTo(353);
    assertThat(last(page)).isEqualTo(360);
  }

  @Test
  void theWindowIsReadUpToWhereTheFeedStands() {
    stands(400);
    goesOn();
    read(390);
    assertThat(recent.reads).containsExactly("384..401");
  }

  @Test
  void aPageWithNothingNewIsNoAnswer() {
    stands(400);
    Future<EventPage> page = read(450);
    log.answer();
    assertThat(page.failed()).isTrue();
  }

  @Test
  void aPageOfLargeEventsThatEndsBeforeWhatIsAskedForIsReadFromThere() {
    stands(1_000);
    log.largest = 16;
    Future<EventPage> page = pages.read(ROOM, new Rev(250), LIMIT);
    log.answer();
    log.answer();
    assertThat(log.reads).containsExactly("200+400", "250+200");
    assertThat(page.result().events().getFirst().rev()).isEqualTo(new Rev(251));
  }
}
