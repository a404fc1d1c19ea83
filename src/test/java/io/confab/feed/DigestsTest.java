package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.feed.Digest.Origin;
import io.confab.feed.DigestWatch.Way;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DigestsTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(1);
  private static final AccountSignal ADDED = new AccountSignal.Added(ANN, ROOM);
  private static final Origin PEER = new Origin(new NodeId("peer"), 5);

  private final DigestCodec codec = new DigestCodec(new byte[] {1});
  private final FeedHub hub =
      new FeedHub(
          new FakeBroker(),
          new FakeRecent(),
          FakeBroker::sealed,
          new DigestLog(),
          new DatabaseEpoch(new Epoch(1)));
  private final RecordingLoop loop = new RecordingLoop();
  private final List<Digest> redis = new ArrayList<>();
  private final List<Digest> bus = new ArrayList<>();
  private final List<Epoch> epochs = new ArrayList<>();
  private final Meters meters = new Meters();
  private boolean redisUp = true;
  private Epoch epoch = new Epoch(3);
  private long now;
  private final Digests digests =
      new Digests(
          new DigestWatch(new Origin(new NodeId("me"), 1), Duration.ofSeconds(6), 0),
          codec,
          hub,
          new Digests.Epochs(() -> epoch, this::heard),
          new Digests.Ways() {
            @Override
            public void overRedis(byte[] digest) {
              codec.decode(digest).ifPresent(redis::add);
            }

            @Override
            public void overBus(byte[] digest) {
              codec.decode(digest).ifPresent(bus::add);
            }

            @Override
            public boolean redisIsUp() {
              return redisUp;
            }
          },
          meters);

  @BeforeEach
  void oneLoopFollows() {
    hub.onCompareAll(loop::compareAll);
    hub.watch(ROOM, loop);
    hub.watch(ANN, loop);
  }

  private void heard(Epoch told) {
    epochs.add(told);
    epoch = told.isAfter(epoch) ? told : epoch;
  }

  private void publish() {
    digests.publish(false, now);
  }

  /// Half a second goes by in which this node hears itself.
  private void pass() {
    for (int i = 0; i < 5; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(100);
      digests.tick(now);
    }
    publish();
    digests.heard(Way.REDIS, codec.encode(redis.getLast()), now);
  }

  private void hear(Way way, long number, Contents contents) {
    digests.heard(way, codec.encode(new Digest(PEER, number, false, new Epoch(4), contents)), now);
  }

  private static Contents contents(boolean more) {
    return new Contents(List.of(new Moved(ROOM, new Rev(9))), List.of(ADDED), more);
  }

  private static Event event(long rev) {
    return new Event(ROOM, new Epoch(3), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  @Test
  void everythingThatIsAnnouncedIsInTheNextDigestAndTheyAreNumbered() {
    publish();
    hub.announce(List.of(event(1), event(2)));
    hub.signal(List.of(ADDED));
    publish();
    publish();
    assertThat(redis).extracting(Digest::number).containsExactly(1L, 2L, 3L);
    assertThat(redis).extracting(Digest::epoch).containsOnly(new Epoch(3));
    assertThat(redis).extracting(Digest::leaving).containsOnly(false);
    assertThat(redis.get(1).contents())
        .isEqualTo(new Contents(List.of(new Moved(ROOM, new Rev(2))), List.of(ADDED), false));
    assertThat(redis.get(2).contents().moved()).isEmpty();
    assertThat(bus).isEmpty();
    assertThat(meters.scrape()).contains("confab_digests_published_total 3");
  }

  @Test
  void theLastDigestSaysSoAndHoldsWhatIsLeft() {
    hub.announce(List.of(event(1)));
    digests.publish(true, now);
    assertThat(redis).singleElement().extracting(Digest::leaving).isEqualTo(true);
    assertThat(redis.getFirst().contents().moved()).hasSize(1);
  }

  @Test
  void whatAPeerTellsReachesTheLoopsThatCareAndItsEpochWhoWantsIt() {
    hear(Way.REDIS, 1, contents(false));
    assertThat(loop.told).containsExactly("moved 7 to 9", "signal 1");
    assertThat(epochs).containsExactly(new Epoch(4));
    hear(Way.BUS, 1, contents(false));
    assertThat(loop.told).hasSize(2);
    hear(Way.BUS, 2, contents(false));
    assertThat(loop.told).hasSize(4);
  }

  @Test
  void whatIsToldOfAnOutlivedEpochIsAReasonToLookAndNothingMore() {
    epoch = new Epoch(5);
    hear(Way.REDIS, 1, contents(false));
    assertThat(loop.told).containsExactly("look 7", "signal 1");
  }

  @Test
  void whatAPeerTellsOfSendsIsAReasonToLookWhereItIsOfAnotherEpoch() {
    hub.watchQueues(ROOM, loop);
    Contents sends = new Contents(List.of(), List.of(), List.of(new Digest.Sends(ROOM, 7)), false);
    hear(Way.REDIS, 1, sends);
    assertThat(loop.told).containsExactly("queued up to 7");
    epoch = new Epoch(5);
    hear(Way.REDIS, 2, sends);
    assertThat(loop.told).containsExactly("queued up to 7", "look 7");
  }

  @Test
  void sendsAreInTheNextDigest() {
    hub.queued(List.of(new QueuedSend(ROOM, null, new Epoch(3), 4, new byte[0], List.of())));
    publish();
    publish();
    assertThat(redis.get(0).contents().sends()).containsExactly(new Digest.Sends(ROOM, 4));
    assertThat(redis.get(1).contents().sends()).isEmpty();
  }

  private void announce(int rooms) {
    for (int i = 1; i <= rooms; i++) {
      hub.announce(
          List.of(
              new Event(new RoomId(i), new Epoch(3), new Rev(1), new Event.OfRoom(), new byte[0])));
    }
  }

  @Test
  void whatDoesNotFitIsToldByFurtherDigestsAndNobodyCompares() {
    hub.signal(
        LongStream.rangeClosed(1, Digest.MOST_SIGNALS + 1)
            .mapToObj(
                room -> (AccountSignal) new AccountSignal.Added(new AccountId(9), new RoomId(room)))
            .toList());
    announce(2 * Digest.MOST_ROOMS + 1);
    publish();
    assertThat(redis).extracting(Digest::number).containsExactly(1L, 2L, 3L);
    assertThat(redis).noneMatch(digest -> digest.contents().more());
    assertThat(redis)
        .allMatch(digest -> digest.contents().moved().size() <= Digest.MOST_ROOMS)
        .allMatch(digest -> digest.contents().signals().size() <= Digest.MOST_SIGNALS);
    assertThat(redis.stream().flatMap(digest -> digest.contents().moved().stream()))
        .hasSize(2 * Digest.MOST_ROOMS + 1)
        .doesNotHaveDuplicates();
    assertThat(redis.stream().flatMap(digest -> digest.contents().signals().stream()))
        .hasSize(Digest.MOST_SIGNALS + 1)
        .doesNotHaveDuplicates();
    assertThat(loop.told).doesNotContain("compare all");
  }

  @Test
  void onlyTheLastOfSeveralSaysThatTheNodeLeaves() {
    announce(Digest.MOST_ROOMS + 1);
    digests.publish(true, now);
    assertThat(redis).extracting(Digest::leaving).containsExactly(false, true);
  }

  @Test
  void whoTellsMoreThanIsKeptComparesToo() {
    announce(DigestLog.MOST_ROOMS + 1);
    publish();
    assertThat(redis).hasSize(10);
    assertThat(redis.getLast().contents().more()).isTrue();
    assertThat(loop.told).contains("compare all");
  }

  @Test
  void aMissedDigestHasEverythingComparedAndIsCounted() {
    hear(Way.REDIS, 1, contents(false));
    loop.told.clear();
    hear(Way.REDIS, 4, contents(false));
    assertThat(loop.told).containsExactly("moved 7 to 9", "signal 1", "compare all");
    assertThat(meters.scrape())
        .contains("confab_digests_missed_total 2")
        .contains("confab_comparisons_total{reason=\"missed\"} 1");
  }

  /// The comparisons with which a node begins are over.
  private void start() {
    for (int i = 0; i < 20; i++) {
      pass();
    }
    loop.told.clear();
  }

  @Test
  void aSilentPeerHasEverythingCompared() {
    start();
    hear(Way.REDIS, 1, contents(false));
    loop.told.clear();
    pass();
    pass();
    assertThat(loop.told).isEmpty();
    pass();
    assertThat(loop.told).containsExactly("compare all");
  }

  @Test
  void whileRedisIsAwayOrDoesNotAnswerDigestsGoOverTheBusToo() {
    redisUp = false;
    publish();
    assertThat(bus).hasSize(1);
    redisUp = true;
    publish();
    assertThat(bus).hasSize(1);
    for (long end = now + DigestWatch.SILENCE.toNanos(); now < end; ) {
      now += DigestWatch.TICK.toNanos();
      digests.tick(now);
    }
    publish();
    assertThat(bus).hasSize(2);
    assertThat(redis).hasSize(3);
  }

  @Test
  void whatOnlyTheRevOfARoomTellsIsToldHereAndElsewhere() {
    hub.moved(ROOM, new Rev(2));
    publish();
    assertThat(loop.told).containsExactly("moved 7 to 2");
    assertThat(redis.getFirst().contents().moved()).containsExactly(new Moved(ROOM, new Rev(2)));
  }

  @Test
  void whatIsForgedIsDroppedAndCounted() {
    Digest digest = new Digest(PEER, 1, false, new Epoch(4), contents(true));
    digests.heard(Way.REDIS, new DigestCodec(new byte[] {2}).encode(digest), now);
    digests.heard(Way.BUS, new byte[0], now);
    assertThat(loop.told).isEmpty();
    assertThat(digests.refused()).isEqualTo(2);
  }

  @Test
  void withQuietPeersNothingIsComparedHoweverLongItLasts() {
    start();
    for (long number = 1; number < 500; number++) {
      pass();
      hear(Way.REDIS, number, new Contents(List.of(), List.of(), false));
    }
    assertThat(loop.told).isEmpty();
  }
}
