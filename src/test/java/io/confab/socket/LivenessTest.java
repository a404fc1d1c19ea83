package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.socket.Liveness.Verdict;
import io.confab.testing.TestConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With 5 s for `hello`, a ping every 15 s and 30 s of silence.
class LivenessTest {
  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private static Liveness openedAt(long now) {
    return new Liveness(TestConfig.sockets(), now);
  }

  @Test
  void whoDoesNotGreetInTimeIsAStranger() {
    Liveness liveness = openedAt(0);
    assertThat(liveness.judge(seconds(5), false)).isEqualTo(Verdict.FINE);
    assertThat(liveness.judge(seconds(5) + 1, false)).isEqualTo(Verdict.STRANGER);
    assertThat(liveness.judge(seconds(5) + 1, true)).isEqualTo(Verdict.FINE);
  }

  @Test
  void talkingDoesNotReplaceAHello() {
    Liveness liveness = openedAt(0);
    liveness.beat(seconds(5));
    assertThat(liveness.judge(seconds(6), false)).isEqualTo(Verdict.STRANGER);
  }

  @Test
  void aPingIsDueOnceAnInterval() {
    Liveness liveness = openedAt(0);
    assertThat(liveness.judge(seconds(14), true)).isEqualTo(Verdict.FINE);
    assertThat(liveness.judge(seconds(15), true)).isEqualTo(Verdict.PING);
    assertThat(liveness.judge(seconds(16), true)).isEqualTo(Verdict.FINE);
    assertThat(liveness.judge(seconds(30), true)).isEqualTo(Verdict.PING);
  }

  @Test
  void silenceIsDeath() {
    Liveness liveness = openedAt(0);
    assertThat(liveness.judge(seconds(30), true)).isEqualTo(Verdict.PING);
    assertThat(liveness.judge(seconds(30) + 1, true)).isEqualTo(Verdict.DEAD);
  }

  @Test
  void aBeatIsLifeForAnotherTimeOut() {
    Liveness liveness = openedAt(0);
    liveness.beat(seconds(29));
    assertThat(liveness.judge(seconds(59), true)).isEqualTo(Verdict.PING);
    assertThat(liveness.judge(seconds(59) + 1, true)).isEqualTo(Verdict.DEAD);
  }

  /// `System.nanoTime` may be anything and wrap around.
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE, Long.MAX_VALUE - 1_000})
  void theClockMayStartAnywhere(long start) {
    Liveness liveness = openedAt(start);
    assertThat(liveness.judge(start + seconds(1), true)).isEqualTo(Verdict.FINE);
    assertThat(liveness.judge(start + seconds(15), true)).isEqualTo(Verdict.PING);
    assertThat(liveness.judge(start + seconds(31), true)).isEqualTo(Verdict.DEAD);
  }

  @Test
  void nothingIsDueBeforeItSaysSo() {
    Liveness liveness = openedAt(seconds(100));
    assertThat(liveness.quiet(seconds(101), false)).isEqualTo(Duration.ofSeconds(4));
    assertThat(liveness.quiet(seconds(101), true)).isEqualTo(Duration.ofSeconds(14));
    liveness.judge(seconds(115), true);
    liveness.beat(seconds(103));
    assertThat(liveness.quiet(seconds(120), true)).isEqualTo(Duration.ofSeconds(10));
    liveness.judge(seconds(130), true);
    assertThat(liveness.quiet(seconds(131), true)).isEqualTo(Duration.ofSeconds(2));
    assertThat(liveness.quiet(seconds(140), true)).isZero();
  }
}
