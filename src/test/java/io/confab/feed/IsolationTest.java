package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Origin;
import io.confab.protocol.NodeId;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class IsolationTest {
  private static final Origin BOB = new Origin(new NodeId("bob"), 1);
  private static final Origin EVE = new Origin(new NodeId("eve"), 2);

  private final Isolation isolation = new Isolation();

  private static long at(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000)).toNanos();
  }

  @Test
  void whoKnowsOfNoOtherIsNeverCutOff() {
    assertThat(isolation.tick(at(3_600))).isFalse();
    assertThat(isolation.asksDatabase(at(3_600))).isFalse();
  }

  @Test
  void silenceOfAllPeersAndOfTheDatabaseForTenSecondsCutsOffOnce() {
    isolation.heard(BOB, false, at(100));
    isolation.heard(EVE, false, at(101));
    assertThat(isolation.asksDatabase(at(102))).isFalse();
    assertThat(isolation.asksDatabase(at(102.2))).isTrue();
    assertThat(isolation.tick(at(110.9))).isFalse();
    assertThat(isolation.tick(at(111))).isTrue();
    assertThat(isolation.tick(at(112))).isFalse();

    isolation.heard(EVE, false, at(113));
    assertThat(isolation.tick(at(122.9))).isFalse();
    assertThat(isolation.tick(at(123))).as("cut off again").isTrue();
  }

  @Test
  void onePeerThatIsHeardIsEnough() {
    isolation.heard(BOB, false, at(1));
    isolation.heard(EVE, false, at(11));
    assertThat(isolation.tick(at(20.9))).isFalse();
  }

  @Test
  void anAnswerOfTheDatabaseIsEnoughAndForgetsTheDead() {
    isolation.heard(BOB, false, at(1));
    isolation.databaseAnswered(at(5));
    assertThat(isolation.tick(at(14.9))).isFalse();
    isolation.databaseAnswered(at(14.9));
    assertThat(isolation.tick(at(3_600))).as("it knows of nobody any more").isFalse();
  }

  @Test
  void aPeerThatLeftIsNotMissed() {
    isolation.heard(BOB, false, at(1));
    isolation.heard(BOB, true, at(2));
    assertThat(isolation.tick(at(3_600))).isFalse();
  }

  @Test
  void whoHearsTheLastOfItsPeersLeaveAsksBeforeItJudgesThoughAnotherDiedLongAgo() {
    isolation.heard(BOB, false, at(1)); // and is killed
    isolation.heard(EVE, false, at(40));
    isolation.heard(EVE, true, at(41));
    assertThat(isolation.tick(at(41.5))).isFalse();
    assertThat(isolation.asksDatabase(at(42.2))).isTrue();
    isolation.databaseAnswered(at(42.3));
    assertThat(isolation.tick(at(3_600))).isFalse();
  }

  @Test
  void whoDiedIsForgottenThoughAnotherIsHeard() {
    isolation.heard(BOB, false, at(1));
    isolation.heard(EVE, false, at(61));
    isolation.heard(EVE, true, at(62));
    assertThat(isolation.asksDatabase(at(3_600))).isFalse();
    assertThat(isolation.tick(at(3_600))).as("it knows of nobody any more").isFalse();
  }

  @Test
  void whoIsBackAsANewerProcessIsNotMissedAsTheOlderOne() {
    isolation.heard(BOB, false, at(1));
    Origin again = new Origin(BOB.node(), 7);
    isolation.heard(again, false, at(10));
    isolation.heard(again, true, at(20));
    assertThat(isolation.tick(at(3_600))).isFalse();
  }
}
