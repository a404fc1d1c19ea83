package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.time.TimingWheel.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With a tick of 10 ms and eight slots, so that most time-outs take several rounds.
@org.junit.jupiter.api.Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
class TimingWheelTest {
  private final List<String> ran = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1_000; // as nanoTime may be; it wraps around
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 8, () -> now);

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
    wheel.advance();
  }

  private Timeout schedule(long millis, String name) {
    return wheel.schedule(Duration.ofMillis(millis), () -> ran.add(name));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 10, 30, 70, 80, 90, 250, 990})
  void nothingRunsEarlyNorLaterThanTheTickAfter(long delay) {
    pass(3);
    schedule(delay, "it");
    long begin = now;
    while (ran.isEmpty()) {
      pass(1);
    }
    Duration took = Duration.ofNanos(now - begin);
    assertThat(took).isBetween(Duration.ofMillis(delay), Duration.ofMillis(delay + 20));
    pass(500);
    assertThat(ran).containsExactly("it");
  }

  @Test
  void whatIsDueRunsInTheOrderOfTheTicksHoweverLateTheWheelIsDriven() {
    schedule(100, "second");
    schedule(200, "third");
    schedule(20, "first");
    schedule(900, "last");
    pass(500);
    assertThat(ran).containsExactly("first", "second", "third");
  }

  @Test
  void whatIsCancelledDoesNotRun() {
    Timeout cancelled = schedule(20, "cancelled");
    schedule(20, "other");
    cancelled.cancel();
    cancelled.cancel();
    pass(100);
    assertThat(ran).containsExactly("other");
    cancelled.cancel();
  }

  @Test
  void oneMayCancelAnotherThatIsDueWithIt() {
    List<Timeout> victims = new ArrayList<>();
    wheel.after(Duration.ofMillis(20), () -> victims.forEach(Timeout::cancel));
    victims.add(schedule(20, "victim"));
    schedule(20, "bystander");
    pass(100);
    assertThat(ran).containsExactly("bystander");
  }

  @Test
  void whatIsBegunByATimeoutRunsInALaterTick() {
    wheel.after(Duration.ofMillis(10), () -> schedule(0, "child"));
    pass(20);
    assertThat(ran).isEmpty();
    pass(10);
    assertThat(ran).containsExactly("child");
  }

  @Test
  void aFailureKeepsNobodyElseFromRunning() {
    wheel.after(
        Duration.ofMillis(20),
        () -> {
          throw new IllegalStateException("on purpose");
        });
    schedule(20, "other");
    pass(30);
    assertThat(ran).containsExactly("other");
  }

  @Test
  void ofALongPauseOnlyASecondPasses() {
    long begin = wheel.nanos();
    schedule(990, "short");
    schedule(2_000, "long");
    pass(60_000);
    assertThat(ran).containsExactly("short");
    assertThat(wheel.nanos() - begin).isEqualTo(Duration.ofSeconds(1).toNanos());
    for (int i = 0; i < 111; i++) {
      pass(10);
    }
    assertThat(ran).containsExactly("short", "long");
  }

  @Test
  void longOnesEndTogether() {
    List<Long> ends = new ArrayList<>();
    for (int delay = 1_000; delay < 1_100; delay += 10) {
      wheel.after(Duration.ofMillis(delay), () -> ends.add(wheel.nanos()));
    }
    for (int i = 0; i < 130; i++) {
      pass(10);
    }
    assertThat(ends).hasSize(10);
    assertThat(new HashSet<>(ends)).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void theDriverSleepsUntilSomethingIsDue() {
    assertThat(sleep()).isEqualTo(100);
    schedule(2_000, "long");
    assertThat(sleep()).isEqualTo(100);
    schedule(30, "short");
    assertThat(sleep()).isEqualTo(40);
    pass(40);
    assertThat(ran).containsExactly("wake", "short");
    assertThat(sleep()).isEqualTo(100);
  }

  @Test
  void theDriverIsWokenForWhatIsDueSooner() {
    schedule(60, "later");
    sleep();
    now += Duration.ofMillis(20).toNanos();
    schedule(60, "no sooner");
    assertThat(ran).isEmpty();
    schedule(20, "sooner");
    schedule(20, "with it");
    assertThat(ran).containsExactly("wake");
    assertThat(sleep()).isEqualTo(30);
    pass(20);
    assertThat(ran).containsExactly("wake");
    pass(10);
    assertThat(ran).containsExactly("wake", "sooner", "with it");
  }

  @Test
  void timePassesWhileTheDriverSleeps() {
    long begin = wheel.nanos();
    now += Duration.ofMillis(90).toNanos();
    assertThat(wheel.nanos() - begin).isEqualTo(Duration.ofMillis(90).toNanos());
    schedule(30, "it");
    pass(30);
    assertThat(ran).isEmpty();
    pass(10);
    assertThat(ran).containsExactly("it");
  }

  private long sleep() {
    return wheel.sleep(Duration.ofMillis(100), () -> ran.add("wake")).toMillis();
  }

  @Test
  void ofManyEachRunsOnceUnlessItWasCancelled() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    List<Timeout> timeouts = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      timeouts.add(schedule(random.nextLong(3_000), "t" + i));
    }
    for (int i = 0; i < 1_000; i += 2) {
      timeouts.get(i).cancel();
    }
    for (int i = 0; i < 400; i++) {
      pass(10);
    }
    assertThat(ran)
        .hasSize(500)
        .doesNotHaveDuplicates()
        .noneMatch(name -> name.matches("t.*[02468]"));
  }
}
