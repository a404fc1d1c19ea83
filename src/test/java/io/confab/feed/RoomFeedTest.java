package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoomFeedTest {
  private static final RoomId ROOM = new RoomId(7);

  private final Queue<Rev> fetches = new ArrayDeque<>();
  private int checks;
  private long kept;
  private final RoomFeed feed =
      new RoomFeed(
          ROOM,
          new Epoch(1),
          new RoomFeed.Wants() {
            @Override
            public void fetch(RoomFeed asking, Rev after) {
              fetches.add(after);
            }

            @Override
            public void told(Event event, int followers) {}

            @Override
            public void keeps(RoomFeed keeping, long bytes) {
              kept = bytes;
            }

            @Override
            public void checkSoon(RoomFeed asking) {
              checks++;
            }
          });
  private final Recorder recorder = new Recorder();

  @Test
  void releasesInOrderWhateverOrderEventsComeIn() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    List.of(3, 1, 2, 2, 5, 4, 1).forEach(rev -> feed.offer(event(rev)));
    assertThat(recorder.revs).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void takesNothingOfAnotherEpoch() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    feed.offer(new Event(ROOM, new Epoch(2), new Rev(1), new Event.OfRoom(), new byte[0]));
    feed.offer(new Event(ROOM, new Epoch(0), new Rev(1), new Event.OfRoom(), new byte[0]));
    assertThat(recorder.revs).isEmpty();
    feed.offer(event(1));
    assertThat(recorder.revs).containsExactly(1L);
  }

  @Test
  void holdsEverythingUntilItKnowsWhereTheRoomStands() {
    feed.attach(recorder);
    feed.offer(event(5));
    feed.offer(event(6));
    assertThat(recorder.revs).isEmpty();
    feed.learn(new Rev(5));
    assertThat(recorder.revs).containsExactly(6L);
    assertThat(recorder.readies).isEqualTo(1);
  }

  @Test
  void aHoleThatStaysIsFetched() {
    feed.attach(recorder);
    feed.learn(new Rev(10));
    feed.offer(event(13));
    assertThat(checks).isEqualTo(1);
    assertThat(fetches).isEmpty();
    feed.check();
    assertThat(fetches).containsExactly(new Rev(10));
    feed.fetched(List.of(event(11), event(12), event(13)), new Rev(13));
    assertThat(recorder.revs).containsExactly(11L, 12L, 13L);
    assertThat(fetches).hasSize(1);
  }

  @Test
  void whatADigestSaysIsWaitedForAMomentAndThenFetched() {
    feed.attach(recorder);
    feed.learn(new Rev(10));
    feed.hearOf(new Rev(11));
    assertThat(checks).isEqualTo(1);
    assertThat(fetches).isEmpty();
    feed.check();
    assertThat(fetches).containsExactly(new Rev(10));
    feed.fetched(List.of(event(11)), new Rev(11));
    assertThat(recorder.revs).containsExactly(11L);
  }

  @Test
  void aDigestThatSaysWhatComesByItselfCostsNothing() {
    feed.attach(recorder);
    feed.learn(new Rev(10));
    feed.hearOf(new Rev(10));
    assertThat(checks).isZero();
    feed.hearOf(new Rev(11));
    feed.offer(event(11));
    feed.check();
    assertThat(fetches).isEmpty();
    assertThat(recorder.revs).containsExactly(11L);
  }

  @Test
  void whatADigestSaidBeforeTheFeedKnewWhereItStandsIsNotForgotten() {
    feed.attach(recorder);
    feed.hearOf(new Rev(12));
    assertThat(checks).isZero();
    feed.learn(new Rev(11));
    assertThat(fetches).containsExactly(new Rev(11));
  }

  @Test
  void aHoleThatClosesByItselfIsNotFetched() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    feed.offer(event(2));
    feed.offer(event(1));
    feed.check();
    assertThat(fetches).isEmpty();
    assertThat(recorder.revs).containsExactly(1L, 2L);
  }

  @Test
  void learningThatItIsBehindMakesItFetchPageAfterPage() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    feed.learn(new Rev(4));
    assertThat(fetches.remove()).isEqualTo(new Rev(0));
    feed.fetched(List.of(event(1), event(2)), new Rev(4));
    assertThat(fetches.remove()).isEqualTo(new Rev(2));
    feed.fetched(List.of(event(3), event(4)), new Rev(4));
    assertThat(fetches).isEmpty();
    assertThat(recorder.revs).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void aFailedFetchIsTriedAgain() {
    feed.learn(new Rev(0));
    feed.learn(new Rev(1));
    fetches.clear();
    feed.fetchFailed();
    feed.check();
    assertThat(fetches).containsExactly(new Rev(0));
  }

  @Test
  void whatTheDatabaseDoesNotKnowIsForgotten() {
    feed.attach(recorder);
    feed.learn(new Rev(1));
    feed.offer(event(9));
    feed.check();
    feed.fetched(List.of(), new Rev(1));
    feed.offer(event(2));
    assertThat(recorder.revs).containsExactly(2L);
    assertThat(fetches).hasSize(1);
  }

  @Test
  void whatWasHeardWhileTheDatabaseWasAskedIsNotForgotten() {
    feed.attach(recorder);
    feed.learn(new Rev(1));
    feed.offer(event(9));
    feed.check();
    feed.hearOf(new Rev(10));
    feed.fetched(List.of(), new Rev(1));
    assertThat(fetches).hasSize(2);
  }

  @Test
  void remembersAFewEventsAndSaysWhenTheyDoNotReach() {
    feed.learn(new Rev(0));
    LongStream.rangeClosed(1, 100).forEach(rev -> feed.offer(event(rev)));
    assertThat(feed.since(new Rev(98))).extracting(e -> e.rev().value()).containsExactly(99L, 100L);
    assertThat(feed.since(new Rev(100))).isEmpty();
    assertThat(feed.since(new Rev(36))).hasSize(64);
    assertThat(feed.since(new Rev(35))).isNull();
  }

  private static List<Event> page(long... revs) {
    return LongStream.of(revs).mapToObj(RoomFeedTest::event).toList();
  }

  private List<Long> since(long rev) {
    List<Event> events = feed.since(new Rev(rev));
    return events == null ? List.of() : events.stream().map(e -> e.rev().value()).toList();
  }

  @Test
  void aPageThatOneHasReadIsRememberedForTheNext() {
    feed.learn(new Rev(10));
    feed.remember(new Rev(10), page(8, 9, 10));
    assertThat(since(7)).containsExactly(8L, 9L, 10L);
    assertThat(since(6)).isEmpty();
    feed.offer(event(11));
    feed.remember(new Rev(11), page(6, 7, 8, 9));
    assertThat(since(5)).containsExactly(6L, 7L, 8L, 9L, 10L, 11L);
    assertThat(kept).isEqualTo(6L * event(1).bytes());
  }

  @Test
  void aPageThatDoesNotLeadToWhereTheFeedStandsIsNotRemembered() {
    feed.learn(new Rev(10));
    feed.remember(new Rev(10), page(7, 8));
    assertThat(since(7)).isEmpty();
    feed.remember(new Rev(10), page(7, 9, 10, 11));
    assertThat(since(8)).containsExactly(9L, 10L);
    assertThat(since(6)).isEmpty();
  }

  /// It may show a message as it was before what was released.
  @Test
  void aPageThatWasAskedForBeforeTheLastReleaseIsNotRemembered() {
    feed.learn(new Rev(10));
    feed.offer(event(11, new Event.OfChange(new Seq(9), new Rev(11), true)));
    feed.remember(new Rev(10), List.of(ofMessage(9, 9), ofMessage(10, 10)));
    assertThat(since(8)).isEmpty();
    assertThat(since(10)).containsExactly(11L);
  }

  @Test
  void ofAPageNoMoreIsRememberedThanOfWhatIsReleased() {
    feed.learn(new Rev(100));
    feed.remember(new Rev(100), page(LongStream.rangeClosed(1, 100).toArray()));
    assertThat(since(36)).hasSize(64);
    assertThat(feed.since(new Rev(35))).isNull();
    assertThat(kept).isEqualTo(64L * event(1).bytes());
  }

  @Test
  void ofAPageThatIsRememberedNothingIsReplayedThatWasChangedSince() {
    feed.learn(new Rev(3));
    feed.remember(new Rev(3), List.of(ofMessage(1, 1), ofMessage(2, 2), ofMessage(3, 3)));
    feed.offer(event(4, new Event.OfChange(new Seq(2), new Rev(4), true)));
    assertThat(feed.since(new Rev(1))).isNull();
    assertThat(since(2)).containsExactly(3L, 4L);
  }

  @Test
  void aSubscriberMayLeaveWhileItIsTold() {
    List<Subscription> own = new ArrayList<>();
    Recorder other = new Recorder();
    feed.attach(other);
    own.add(
        feed.attach(
            new Subscriber() {
              @Override
              public void ready() {}

              @Override
              public void event(Event event) {
                feed.detach(own.getFirst());
              }
            }));
    feed.attach(recorder);
    feed.learn(new Rev(0));
    feed.offer(event(1));
    feed.offer(event(2));
    assertThat(other.revs).containsExactly(1L, 2L);
    assertThat(recorder.revs).containsExactly(1L, 2L);
  }

  @Test
  void everySeededHistoryWithLossAndDisorderEndsCompleteAndInOrder() {
    for (long seed = 0; seed < 2_000; seed++) {
      assertThat(run(seed))
          .as("seed %d", seed)
          .isEqualTo(LongStream.rangeClosed(1, 60).boxed().toList());
    }
  }

  /// Sixty events, a third of them lost, the others shuffled a little and repeated; reads
  /// answer what the database holds.
  private static List<Long> run(long seed) {
    Random random = new Random(seed);
    ArrayDeque<Runnable> todo = new ArrayDeque<>();
    Recorder recorder = new Recorder();
    long[] stored = {0};
    RoomFeed.Wants wants =
        new RoomFeed.Wants() {
          @Override
          public void fetch(RoomFeed asking, Rev after) {
            todo.add(() -> answer(asking, after, stored[0], random));
          }

          @Override
          public void told(Event event, int followers) {}

          @Override
          public void keeps(RoomFeed keeping, long bytes) {
            if (random.nextInt(8) == 0) {
              keeping.giveUp();
            }
          }

          @Override
          public void checkSoon(RoomFeed asking) {
            todo.add(asking::check);
          }
        };
    RoomFeed feed = new RoomFeed(ROOM, new Epoch(1), wants);
    feed.attach(recorder);
    feed.learn(new Rev(0));
    while (stored[0] < 60) {
      long rev = ++stored[0];
      int copies = random.nextInt(3);
      for (int i = 0; i < copies; i++) {
        Runnable offer = () -> feed.offer(event(rev));
        if (random.nextBoolean()) {
          todo.addFirst(offer);
        } else {
          todo.addLast(offer);
        }
      }
      while (!todo.isEmpty() && random.nextInt(3) > 0) {
        todo.removeFirst().run();
      }
    }
    feed.learn(new Rev(60)); // what a digest or a re-subscription brings
    while (!todo.isEmpty()) {
      todo.removeFirst().run();
    }
    return recorder.revs;
  }

  private static void answer(RoomFeed feed, Rev after, long stored, Random random) {
    if (random.nextInt(4) == 0) {
      feed.fetchFailed();
      return;
    }
    long until = Math.min(stored, after.value() + 5);
    feed.fetched(
        LongStream.rangeClosed(after.value() + 1, until).mapToObj(RoomFeedTest::event).toList(),
        new Rev(stored));
  }

  @Test
  void whatWasEditedOrDeletedSinceIsNotReplayedAsItWas() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    List.of(ofMessage(1, 1), ofMessage(2, 2), ofMessage(3, 3)).forEach(feed::offer);
    assertThat(feed.since(new Rev(1))).extracting(e -> e.rev().value()).containsExactly(2L, 3L);
    feed.offer(event(4, new Event.OfChange(new Seq(2), new Rev(4), true)));
    assertThat(feed.since(new Rev(1))).isNull();
    assertThat(feed.since(new Rev(2))).extracting(e -> e.rev().value()).containsExactly(3L, 4L);
    assertThat(recorder.revs).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void itCountsTheBytesOfWhatItRemembersAndHolds() {
    feed.offer(event(3));
    feed.offer(event(2));
    feed.offer(event(2));
    assertThat(kept).isEqualTo(2L * event(1).bytes());
    feed.learn(new Rev(1));
    assertThat(kept).isEqualTo(2L * event(1).bytes());
    for (int rev = 4; rev <= 500; rev++) {
      feed.offer(event(rev));
    }
    assertThat(kept).isEqualTo(64L * event(1).bytes());
    feed.offer(event(502));
    assertThat(kept).isEqualTo(65L * event(1).bytes());
  }

  @Test
  void whatItGaveUpWhileItWasHeldIsFetched() {
    feed.attach(recorder);
    feed.learn(new Rev(0));
    List.of(event(1), event(3), event(4)).forEach(feed::offer);
    feed.giveUp();
    assertThat(feed.since(Rev.ZERO)).isNull();
    assertThat(feed.since(new Rev(1))).isEmpty();
    feed.check();
    assertThat(fetches).containsExactly(new Rev(1));
    feed.fetched(List.of(event(2), event(3), event(4)), new Rev(4));
    assertThat(recorder.revs).containsExactly(1L, 2L, 3L, 4L);
    assertThat(kept).isEqualTo(3L * event(1).bytes());
  }

  @Test
  void aSubscriberThatThrowsKeepsNothingFromTheOthers() {
    Recorder first = new Recorder();
    Recorder last = new Recorder();
    Recorder failing = new Recorder();
    List.of(first, failing, last).forEach(feed::attach);
    feed.learn(new Rev(0));
    failing.throwsAt = 2;
    List.of(1, 2, 4, 3, 5).forEach(rev -> feed.offer(event(rev)));
    assertThat(first.revs).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(last.revs).isEqualTo(first.revs);
    assertThat(failing.revs).containsExactly(1L, 3L, 4L, 5L);
    assertThat(failing.missed).isEqualTo(1);
    assertThat(first.missed + last.missed).isZero();
  }

  private static Event ofMessage(long rev, long seq) {
    return event(rev, new Event.OfMessage(new Seq(seq), new Rev(rev)));
  }

  private static Event event(long rev) {
    return event(rev, new Event.OfRoom());
  }

  private static Event event(long rev, Event.Subject subject) {
    return new Event(ROOM, new Epoch(1), new Rev(rev), subject, new byte[0]);
  }

  private static final class Recorder implements Subscriber {
    private final List<Long> revs = new ArrayList<>();
    private int readies;
    private int missed;
    private long throwsAt;

    @Override
    public void missed() {
      missed++;
    }

    @Override
    public void ready() {
      readies++;
    }

    @Override
    public void event(Event event) {
      if (event.rev().value() == throwsAt) {
        throw new OutOfMemoryError("of direct buffers");
      }
      revs.add(event.rev().value());
    }
  }
}
