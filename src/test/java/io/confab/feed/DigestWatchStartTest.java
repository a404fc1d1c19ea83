package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Origin;
import io.confab.feed.DigestWatch.Way;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A node that has just started.
class DigestWatchStartTest {
  private static final long TICK = 100;
  private static final long EVERY = 500;
  private static final long GONE = 6_000;
  private static final Contents NOTHING = new Contents(List.of(), List.of(), false);
  private static final Origin SELF = new Origin(new NodeId("me"), 1);
  private static final Origin PEER = new Origin(new NodeId("peer"), 2);
  private static final Origin OTHER = new Origin(new NodeId("other"), 3);

  /// Begins below zero, as a clock of nanoseconds may.
  private long now = -10_000;

  private long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(now);
  }

  @Test
  void whoStartsFindsItsPeersAndComparesOnceForAllOfThem() {
    long start = now;
    DigestWatch fresh = new DigestWatch(SELF, Duration.ofMillis(GONE), nanos());
    List<String> reasons = new ArrayList<>();
    for (long number = 40; now < start + 3_000; number++) {
      for (Origin origin : List.of(SELF, PEER, OTHER)) {
        Digest digest = new Digest(origin, number, false, new Epoch(1), NOTHING);
        assertThat(fresh.heard(digest, Way.REDIS, nanos()).compare()).isEmpty();
      }
      for (long end = now + EVERY; now < end; ) {
        now += TICK;
        fresh.tick(nanos()).ifPresent(reason -> reasons.add(reason + "@" + (now - start)));
      }
    }
    assertThat(reasons).containsExactly("START@1200");
  }

  @Test
  void whoStartsComparesTwiceBecauseSomebodyMayHaveDiedUnheard() {
    long start = now;
    DigestWatch fresh = new DigestWatch(SELF, Duration.ofMillis(GONE), nanos());
    List<String> reasons = new ArrayList<>();
    while (now < start + 30_000) {
      now += TICK;
      fresh.heard(new Digest(SELF, now, false, new Epoch(1), NOTHING), Way.REDIS, nanos());
      fresh.tick(nanos()).ifPresent(reason -> reasons.add(reason + "@" + (now - start)));
    }
    assertThat(reasons).containsExactly("START@1200", "START@7200");
  }

  @Test
  void aNodeThatHasJustBegunIsNotTakenForAlone() {
    DigestWatch young = new DigestWatch(SELF, Duration.ofMillis(GONE), nanos());
    for (int i = 0; i < 80; i++) {
      now += TICK;
      young.heard(new Digest(SELF, i, false, new Epoch(1), NOTHING), Way.REDIS, nanos());
      young.tick(nanos());
      assertThat(young.isAlone(nanos())).isEqualTo((i + 1) * TICK >= 1_200 + GONE);
    }
  }
}
