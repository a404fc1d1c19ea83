package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.feed.QueuedSend;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueFeedTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final Epoch EPOCH = new Epoch(1);

  private final FakeBroker broker = new FakeBroker();
  private final DatabaseEpoch epoch = new DatabaseEpoch(EPOCH);
  private final FeedHub hub =
      new FeedHub(broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), epoch);
  private final List<Runnable> timers = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private Epoch now = EPOCH;
  private boolean frozen;
  private final QueueFeed feed =
      new QueueFeed(
          new Handover(this::execute, 1 << 20), hub, (_, action) -> timers.add(action), () -> now);
  private int looks;
  private final QueueFeed.Follower follower = () -> looks++;

  private static QueuedSend send(long number, long... registrations) {
    List<QueuedSend.Place> places = new ArrayList<>();
    for (long registration : registrations) {
      places.add(
          new QueuedSend.Place(
              new RegistrationId(registration), new QueueSeq(number), false, null));
    }
    return new QueuedSend(ROOM, null, EPOCH, number, new byte[0], places);
  }

  private static QueuedSend large(long number) {
    return new QueuedSend(ROOM, null, EPOCH, number, new byte[1 << 20], List.of());
  }

  private void execute(Runnable task) {
    if (frozen) {
      waiting.add(task);
    } else {
      task.run();
    }
  }

  private void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void aNumberThatIsMissingIsLookedFor() {
    feed.follow(ROOM, follower);
    hub.queued(send(1));
    hub.queued(send(2));
    fireTimers();
    assertThat(looks).isZero();
    hub.queued(send(4));
    hub.queued(send(3));
    fireTimers();
    assertThat(looks).as("it was only overtaken").isZero();
    hub.queued(send(6));
    fireTimers();
    assertThat(looks).isEqualTo(1);
    hub.queued(send(7));
    fireTimers();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void whatMayHaveComeBeforeTheFirstOneIsLookedForOnce() {
    feed.follow(ROOM, follower);
    hub.queued(send(11));
    fireTimers();
    assertThat(looks).as("the tenth may have been lost").isEqualTo(1);
    hub.queued(send(12));
    feed.queuedUpTo(ROOM, 12);
    fireTimers();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void eachEpochHasNumbersOfItsOwn() {
    feed.follow(ROOM, follower);
    feed.queuedUpTo(ROOM, 1_000);
    fireTimers();
    assertThat(looks).isEqualTo(1);
    now = new Epoch(2);
    feed.queuedUpTo(ROOM, 991);
    fireTimers();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void aLoopThatStandsStillKeepsNothingOfWhatItCannotTake() {
    feed.follow(ROOM, follower);
    frozen = true;
    feed.queued(List.of(large(1)));
    for (int number = 2; number < 1_000; number++) {
      feed.queued(List.of(large(number)));
      feed.queuedUpTo(ROOM, number);
      feed.look(ROOM);
    }
    assertThat(waiting).as("the first, and one that looks").hasSize(2);
    frozen = false;
    waiting.forEach(Runnable::run);
    assertThat(looks).isEqualTo(1);
    feed.look(ROOM);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void whatADigestKnowsIsLookedFor() {
    feed.follow(ROOM, follower);
    feed.queuedUpTo(ROOM, 5);
    fireTimers();
    assertThat(looks).isEqualTo(1);
    feed.queuedUpTo(ROOM, 5);
    fireTimers();
    assertThat(looks).isEqualTo(1);
    feed.queuedUpTo(ROOM, 6);
    hub.queued(send(6));
    fireTimers();
    assertThat(looks).as("it was just on its way").isEqualTo(1);
  }

  @Test
  void afterTheRoomIsHeardAgainAllLook() {
    feed.follow(ROOM, follower);
    hub.confirmed(Set.of(ROOM), Set.of());
    assertThat(looks).isEqualTo(1);
    feed.lookAll();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void whoFollowsManyRoomsLooksOnceWhenAnythingMayHavePassed() {
    for (int room = 1; room <= 100; room++) {
      feed.follow(new RoomId(room), follower);
    }
    looks = 0;
    feed.lookAll();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void whatIsOfAnotherEpochIsNotSent() {
    feed.follow(ROOM, follower);
    hub.queued(new QueuedSend(ROOM, null, new Epoch(2), 1, new byte[0], List.of()));
    assertThat(looks).isEqualTo(1);
    assertThat(epoch.current()).isEqualTo(new Epoch(2));
  }

  @Test
  void whoLeftHearsNothing() {
    feed.follow(ROOM, follower);
    feed.unfollow(ROOM, follower);
    assertThat(broker.asked).containsExactly("watch room 7", "unwatch room 7");
    hub.queued(send(1));
    hub.queued(send(3));
    fireTimers();
    assertThat(looks).isZero();
  }

  @Test
  void whatIsOfNoRoomIsSignalledAlone() {
    hub.queued(List.of(new QueuedSend(null, new AccountId(3), EPOCH, 0, new byte[0], List.of())));
    assertThat(broker.asked).containsExactly("signal 3");
  }
}
