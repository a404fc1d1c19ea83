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
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The feeds of one loop when the epoch is raised. Reads are answered when the test says so.
class RoomFeedsEpochTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final Epoch OLD = new Epoch(1);
  private static final Epoch NEW = new Epoch(2);

  private final FakeBroker broker = new FakeBroker();
  private final DatabaseEpoch node = new DatabaseEpoch(OLD);
  private final Queue<Promise<Positions>> positions = new ArrayDeque<>();
  private final Queue<Promise<EventPage>> pages = new ArrayDeque<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final Follower follower = new Follower();
  private RoomFeeds feeds;

  private final class Source implements EventSource {
    @Override
    public Future<EventPage> read(RoomId room, Rev after, int limit) {
      Promise<EventPage> answer = Promise.promise();
      pages.add(answer);
      return answer.future();
    }

    @Override
    public Future<Positions> positions(List<RoomId> rooms) {
      Promise<Positions> answer = Promise.promise();
      positions.add(answer);
      return answer.future();
    }

    @Override
    public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
      return Future.succeededFuture(new Visibilities(List.of()));
    }
  }

  private static final class Follower implements Subscriber {
    private final List<String> told = new ArrayList<>();
    private boolean ready;

    @Override
    public void ready() {
      ready = true;
    }

    @Override
    public void event(Event event) {
      told.add(event.epoch() + "/" + event.rev());
    }
  }

  @BeforeEach
  void start() {
    broker.hears = true;
    feeds =
        new RoomFeeds(
            new Handover(Runnable::run, 1 << 20),
            new FeedHub(broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), node),
            new Source(),
            (_, action) -> timers.add(action),
            new Meters(),
            1 << 20);
  }

  private Subscription follow(Follower who, Epoch epoch, long rev) {
    Subscription subscription = feeds.attach(ROOM, who);
    positions.remove().complete(stands(epoch, rev));
    return subscription;
  }

  private static Positions stands(Epoch epoch, long rev) {
    return new Positions(epoch, List.of(new RoomPosition(ROOM, new Seq(rev), new Rev(rev))));
  }

  private static EventPage page(Epoch epoch, long... revs) {
    List<Event> events = new ArrayList<>();
    for (long rev : revs) {
      events.add(event(epoch, rev));
    }
    return new EventPage(ROOM, epoch, events, events.getLast().rev());
  }

  private static Event event(Epoch epoch, long rev) {
    return new Event(ROOM, epoch, new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  private void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void anEventOfANewerEpochEndsTheFeedsAndTheNodeIsTold() {
    follow(follower, OLD, 100);
    feeds.events(List.of(event(NEW, 101)));
    assertThat(follower.told).isEmpty();
    assertThat(feeds.epoch()).isEqualTo(NEW);
    assertThat(node.current()).isEqualTo(NEW);
    assertThat(broker.asked).endsWith("unwatch room 7");
  }

  @Test
  void whoAttachesAfterwardsBeginsWhereTheRoomStandsNow() {
    Subscription old = follow(follower, OLD, 100);
    feeds.enter(NEW);
    Follower second = new Follower();
    Subscription subscription = follow(second, NEW, 95);
    feeds.events(List.of(event(NEW, 96)));
    assertThat(second.told).containsExactly("2/96");
    assertThat(subscription.epoch()).isEqualTo(NEW);
    assertThat(old.epoch()).isEqualTo(OLD);
    assertThat(follower.told).isEmpty();
  }

  @Test
  void whoFollowedBeforeMayLeaveAfterwardsWithoutHarm() {
    Subscription old = follow(follower, OLD, 100);
    feeds.enter(NEW);
    Follower second = new Follower();
    follow(second, NEW, 95);
    feeds.detach(old);
    feeds.events(List.of(event(NEW, 96)));
    assertThat(second.told).containsExactly("2/96");
  }

  @Test
  void anEventOfAnOlderEpochIsNotToldButMakesTheFeedLook() {
    feeds.enter(NEW);
    follow(follower, NEW, 95);
    feeds.events(List.of(event(OLD, 96)));
    assertThat(follower.told).isEmpty();
    positions.remove().complete(stands(NEW, 96)); // it was committed before the raise
    pages.remove().complete(page(NEW, 96));
    assertThat(follower.told).containsExactly("2/96");
  }

  @Test
  void aPositionReadUnderTheOldEpochSetsNothingAfterTheRaise() {
    feeds.attach(ROOM, follower);
    Promise<Positions> late = positions.remove();
    feeds.enter(NEW);
    Follower second = new Follower();
    feeds.attach(ROOM, second);
    late.complete(stands(OLD, 100));
    assertThat(second.ready).isFalse();
    fireTimers();
    positions.remove().complete(stands(NEW, 95));
    assertThat(second.ready).isTrue();
    assertThat(follower.ready).isFalse();
    feeds.events(List.of(event(NEW, 96)));
    assertThat(second.told).containsExactly("2/96");
  }

  @Test
  void aPageReadUnderTheOldEpochIsToldToNobodyAfterTheRaise() {
    follow(follower, OLD, 100);
    feeds.events(List.of(event(OLD, 102)));
    fireTimers();
    Promise<EventPage> late = pages.remove();
    feeds.enter(NEW);
    Follower second = new Follower();
    follow(second, NEW, 100);
    late.complete(page(OLD, 101, 102));
    fireTimers();
    assertThat(follower.told).isEmpty();
    assertThat(second.told).isEmpty();
    assertThat(pages).isEmpty();
  }

  @Test
  void aRoomThatStandsBehindItsFeedChangesNothingUntilTheEpochIsRaised() {
    follow(follower, OLD, 100);
    feeds.refresh(ROOM);
    positions.remove().complete(stands(OLD, 95)); // logged as an error
    feeds.events(List.of(event(OLD, 101)));
    assertThat(follower.told).containsExactly("1/101");
  }

  @Test
  void anAnswerOfANewerEpochIsARaise() {
    follow(follower, OLD, 100);
    feeds.refresh(ROOM);
    positions.remove().complete(stands(NEW, 95));
    assertThat(node.current()).isEqualTo(NEW);
    feeds.events(List.of(event(NEW, 101)));
    assertThat(follower.told).isEmpty();
  }

  @Test
  void aPageOfANewerEpochIsARaise() {
    follow(follower, OLD, 100);
    feeds.events(List.of(event(OLD, 102)));
    fireTimers();
    pages.remove().complete(page(NEW, 101, 102));
    assertThat(node.current()).isEqualTo(NEW);
    assertThat(follower.told).isEmpty();
  }
}
