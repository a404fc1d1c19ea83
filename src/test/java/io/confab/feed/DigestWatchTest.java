package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Origin;
import io.confab.feed.DigestWatch.Verdict;
import io.confab.feed.DigestWatch.Way;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DigestWatchTest {
  private static final long TICK = 100;
  private static final long EVERY = 500;
  private static final long GONE = 6_000;
  private static final Contents NOTHING = new Contents(List.of(), List.of(), false);
  private static final Contents MORE = new Contents(List.of(), List.of(), true);
  private static final Origin SELF = new Origin(new NodeId("me"), 1);
  private static final Origin PEER = new Origin(new NodeId("peer"), 2);
  private static final Origin OTHER = new Origin(new NodeId("other"), 3);

  /// Begins below zero, as a clock of nanoseconds may.
  private long now = -10_000;

  private final DigestWatch watch = new DigestWatch(SELF, Duration.ofMillis(GONE), nanos());
  private final List<String> asked = new ArrayList<>();
  private boolean hearsItself = true;

  private long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(now);
  }

  private Verdict hear(Origin origin, long number) {
    return hear(new Digest(origin, number, false, new Epoch(1), NOTHING), Way.REDIS);
  }

  private Verdict hear(Digest digest, Way way) {
    Verdict verdict = watch.heard(digest, way, nanos());
    verdict.compare().ifPresent(this::note);
    return verdict;
  }

  private void note(CompareReason reason) {
    asked.add(reason + "@" + now);
  }

  /// Ticks go by, and this node hears itself if it does.
  private void pass(long millis) {
    for (long end = now + millis; now < end; ) {
      now += TICK;
      if (hearsItself && Math.floorMod(now, EVERY) == 0) {
        hear(SELF, now);
      }
      watch.tick(nanos()).ifPresent(this::note);
    }
  }

  private static Digest leaving(Origin origin, long number) {
    return new Digest(origin, number, true, new Epoch(1), NOTHING);
  }

  /// The clock of each test begins at 0, with a peer that has said 7.
  @BeforeEach
  void aPeerIsKnown() {
    pass(8_500);
    asked.clear(); // it has started
    for (long number = 1; number <= 7; number++) {
      hear(PEER, number);
    }
    pass(1_000);
    hear(PEER, 8);
    pass(500);
    assertThat(now).isZero();
    assertThat(asked).isEmpty();
    hear(PEER, 9);
  }

  @Test
  void aPeerThatSpeaksOnIsHeardAndAsksForNothing() {
    for (long number = 10; number < 100; number++) {
      pass(EVERY);
      assertThat(hear(PEER, number).fresh()).isTrue();
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void aMissingNumberIsNoticedAtTheNextAndOnlyOnce() {
    Verdict verdict = hear(PEER, 12);
    assertThat(verdict.missed()).isEqualTo(2);
    assertThat(verdict.fresh()).isTrue();
    assertThat(hear(PEER, 13).missed()).isZero();
    assertThat(asked).containsExactly("MISSED@0");
  }

  @Test
  void whatComesTwiceOrLateIsNotLookedAtAgain() {
    assertThat(hear(PEER, 9).fresh()).isFalse();
    assertThat(hear(PEER, 3).fresh()).isFalse();
    assertThat(hear(new Digest(PEER, 9, false, new Epoch(1), NOTHING), Way.BUS).fresh()).isFalse();
    assertThat(asked).isEmpty();
    assertThat(hear(PEER, 10).fresh()).isTrue();
  }

  @Test
  void aDigestThatComesTwiceIsASignOfLifeAllTheSame() {
    pass(1_100);
    hear(PEER, 9);
    pass(1_100);
    assertThat(asked).isEmpty();
  }

  @Test
  void aPeerThatStartsHasLeftNothingUnsaid() {
    assertThat(hear(OTHER, 1).fresh()).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void aPeerThatIsHeardForTheFirstTimeLongAfterItsStartMayHaveSaidMuch() {
    Verdict verdict = hear(OTHER, 2);
    assertThat(verdict.fresh()).isTrue();
    assertThat(verdict.missed()).isZero();
    assertThat(asked).containsExactly("NEWCOMER@0");
  }

  @Test
  void aDigestThatIsNotAllThereIsToSayAsksForTheRest() {
    hear(new Digest(PEER, 10, false, new Epoch(1), MORE), Way.REDIS);
    hear(new Digest(OTHER, 1, false, new Epoch(1), MORE), Way.REDIS);
    hear(new Digest(PEER, 10, false, new Epoch(1), MORE), Way.BUS);
    assertThat(asked).containsExactly("OVERFULL@0", "OVERFULL@0");
  }

  @Test
  void aNodeThatIsNotHeardAndSaysSoInTheDatabaseIsAReasonToCompare() {
    hear(PEER, 1);
    assertThat(watch.lone(List.of(), nanos())).isEmpty();
    assertThat(watch.lone(List.of(SELF, PEER), nanos())).isEmpty();
    assertThat(watch.lone(List.of(SELF, PEER, OTHER), nanos())).contains(CompareReason.LONE);
    pass(1_300);
    assertThat(watch.lone(List.of(PEER), nanos())).contains(CompareReason.LONE);
    pass(20_000); // and is forgotten
    assertThat(watch.lone(List.of(PEER), nanos())).contains(CompareReason.LONE);
  }

  @Test
  void aNodeThatSaysNoLongerThatItIsUnheardMayHaveDiedAndLeftSomething() {
    watch.lone(List.of(OTHER), nanos());
    pass(GONE);
    assertThat(watch.lone(List.of(), nanos())).contains(CompareReason.LONE);
    pass(1_000);
    assertThat(watch.lone(List.of(), nanos())).as("that must be over").isEmpty();
    watch.lone(List.of(OTHER), nanos());
    hear(OTHER, 1);
    assertThat(watch.lone(List.of(), nanos())).as("it is heard").isEmpty();
  }

  @Test
  void aNodeIsAloneOnceNoOtherCanBeThere() {
    hear(PEER, 1);
    pass(GONE + 1_000);
    hear(PEER, 2);
    assertThat(watch.isAlone(nanos())).as("hears another").isFalse();
    pass(2_000);
    assertThat(watch.isAlone(nanos())).as("what that had under way may still come").isFalse();
    pass(GONE);
    assertThat(watch.isAlone(nanos())).isTrue();
    hearsItself = false;
    pass(1_300);
    assertThat(watch.isAlone(nanos())).as("would hear nobody").isFalse();
    hearsItself = true;
    pass(500);
    assertThat(watch.isAlone(nanos())).isTrue();
    hear(OTHER, 1);
    assertThat(watch.isAlone(nanos())).isFalse();
  }

  @Test
  void whoHearsNeitherItselfNorAnyOtherMayBeUnheard() {
    DigestWatch alone = new DigestWatch(SELF, Duration.ofMillis(GONE), nanos());
    alone.heard(new Digest(SELF, 1, false, new Epoch(1), NOTHING), Way.REDIS, nanos());
    assertThat(alone.mayBeUnheard(nanos())).as("never knew another").isFalse();
    for (int i = 0; i < 13; i++) {
      now += TICK;
      alone.tick(nanos());
    }
    assertThat(alone.mayBeUnheard(nanos())).as("does not hear itself").isTrue();
    pass(1_000);
    assertThat(watch.mayBeUnheard(nanos())).as("hears others").isFalse();
    pass(1_300);
    assertThat(watch.mayBeUnheard(nanos())).as("hears itself alone").isTrue();
  }

  @Test
  void whoSleptMayBeUnheardUntilItHearsItself() {
    now += 1_100;
    assertThat(watch.mayBeUnheard(nanos())).as("no longer than a digest takes").isFalse();
    now += 30_000;
    assertThat(watch.mayBeUnheard(nanos())).isTrue();
    watch.tick(nanos());
    assertThat(watch.isDeaf(nanos())).isFalse();
    assertThat(watch.mayBeUnheard(nanos())).as("as long as others have not heard it").isTrue();
    hear(SELF, now);
    assertThat(watch.mayBeUnheard(nanos())).isFalse();
  }

  @Test
  void aSilentPeerAsksAtOnceEverySecondAndOnceMoreWhenItMustBeOver() {
    pass(20_000);
    assertThat(asked)
        .containsExactly(
            "SILENT@1200",
            "SILENT@2200",
            "SILENT@3200",
            "SILENT@4200",
            "SILENT@5200",
            "SILENT@6200",
            "GONE@7200");
  }

  @Test
  void ofTwoPeersThatFallSilentEachIsNoticedAndTheRateIsThatOfOne() {
    pass(500);
    hear(OTHER, 1);
    pass(20_000);
    assertThat(asked)
        .startsWith("SILENT@1200", "SILENT@1700", "SILENT@2700")
        .endsWith("GONE@7200", "GONE@7700")
        .hasSize(2 + 5 + 2);
  }

  @Test
  void aPeerThatSpeaksAgainEndsTheAsking() {
    pass(1_500);
    hear(PEER, 10);
    for (long number = 11; number < 40; number++) {
      pass(EVERY);
      hear(PEER, number);
    }
    assertThat(asked).containsExactly("SILENT@1200");
  }

  @Test
  void aPeerThatWasForgottenAndSpeaksAgainIsANewOne() {
    pass(20_000);
    asked.clear();
    hear(PEER, 10);
    assertThat(asked).containsExactly("NEWCOMER@20000");
  }

  @Test
  void aPeerThatStartsAgainIsAnotherOne() {
    hear(new Origin(PEER.node(), 99), 1);
    assertThat(asked).isEmpty();
    pass(1_200);
    hear(new Origin(PEER.node(), 99), 2);
    assertThat(asked).containsExactly("SILENT@1200");
  }

  @Test
  void aPeerThatLeavesIsNotMissedAndAsksOnceWhenItMustBeOver() {
    assertThat(hear(leaving(PEER, 10), Way.REDIS).fresh()).isTrue();
    pass(20_000);
    assertThat(asked).containsExactly("GONE@6000");
  }

  @Test
  void aNodeThatDoesNotHearItselfAsksEverySecond() {
    hear(leaving(PEER, 10), Way.REDIS);
    hearsItself = false;
    pass(4_500);
    assertThat(asked).containsExactly("DEAF@1200", "DEAF@2200", "DEAF@3200", "DEAF@4200");
    assertThat(watch.isDeaf(nanos())).isTrue();
    hearsItself = true;
    pass(1_000);
    assertThat(watch.isDeaf(nanos())).isFalse();
    asked.clear();
    pass(400);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatADeafNodeHearsOfItselfOverTheBusMeansNothing() {
    hear(leaving(PEER, 10), Way.REDIS);
    hearsItself = false;
    for (int i = 0; i < 5; i++) {
      pass(EVERY);
      hear(new Digest(SELF, 10L + i, false, new Epoch(1), NOTHING), Way.BUS);
    }
    assertThat(asked).containsExactly("DEAF@1200", "DEAF@2200");
  }

  @Test
  void aDeafNodeThatHearsItsPeersOverTheBusAsksLessOften() {
    hearsItself = false;
    for (int i = 0; i < 16; i++) {
      pass(EVERY);
      hear(new Digest(PEER, 10L + i, false, new Epoch(1), NOTHING), Way.BUS);
    }
    assertThat(asked).containsExactly("DEAF@1200", "DEAF@3200", "DEAF@5200", "DEAF@7200");
  }

  @Test
  void aDeafNodeWhosePeerIsSilentAsksAsEver() {
    hearsItself = false;
    pass(3_500);
    assertThat(asked).containsExactly("SILENT@1200", "DEAF@2200", "DEAF@3200");
  }

  @Test
  void whoDidNotListenDoesNotTakeOthersForDead() {
    now += 30_000;
    watch.tick(nanos()).ifPresent(this::note);
    pass(900);
    assertThat(asked).isEmpty();
    assertThat(watch.isDeaf(nanos())).isFalse();
    hear(PEER, 10);
    pass(900);
    assertThat(asked).isEmpty();
    pass(300);
    assertThat(asked).containsExactly("SILENT@32100");
  }

  @Test
  void whatWasMissedWhileNotListeningIsNoticedByTheNumbers() {
    now += 30_000;
    watch.tick(nanos()).ifPresent(this::note);
    hear(PEER, 69);
    assertThat(asked).containsExactly("MISSED@30000");
  }

  @Test
  void whoDidNotListenHasNotBeenCutOff() {
    now += 30_000;
    watch.tick(nanos()).ifPresent(this::note);
    assertThat(watch.isolation().tick(watch.awake(nanos()))).isFalse();
    pass(9_000);
    assertThat(watch.isolation().tick(watch.awake(nanos()))).as("it listens again").isFalse();
    pass(1_000);
    assertThat(watch.isolation().tick(watch.awake(nanos()))).as("and hears nobody").isTrue();
  }

  @Test
  void aPeerThatFallsSilentIsNoticedByANodeWhoseTicksAreAlwaysLate() {
    for (int i = 0; i < 20; i++) {
      now += 3_000;
      watch.tick(nanos()).ifPresent(this::note);
    }
    assertThat(asked).startsWith("SILENT@15000");
  }

  @Test
  void aPeerThatMustBeOverWhenOneWakesIsForgotten() {
    pass(1_300);
    now += 30_000;
    watch.tick(nanos()).ifPresent(this::note);
    pass(3_000);
    assertThat(asked).containsExactly("SILENT@1200", "GONE@31300");
  }
}
