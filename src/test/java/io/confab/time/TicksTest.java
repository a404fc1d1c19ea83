package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(60)
class TicksTest {
  private static final Duration PERIOD = Duration.ofMillis(10);

  /// A timer is this much early at most: it counts in whole milliseconds.
  private static final Duration ROUNDING = Duration.ofMillis(1);

  private final Vertx vertx;
  private final List<Duration> rests = new ArrayList<>();
  private final Promise<Void> fifth = Promise.promise();
  private final Ticks ticks;
  private long endedAt;

  TicksTest(Vertx vertx) {
    this.vertx = vertx;
    this.ticks = new Ticks(vertx, PERIOD, this::tick);
  }

  private void tick() {
    rests.add(Duration.ofNanos(System.nanoTime() - endedAt));
    if (rests.size() == 2) {
      standStill();
    }
    if (rests.size() == 5) {
      ticks.stop();
      fifth.complete();
    }
    endedAt = System.nanoTime();
  }

  /// For twenty periods, as a loop does whose process was stopped.
  private static void standStill() {
    long end = System.nanoTime() + PERIOD.multipliedBy(20).toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatWasMissedWhileTheLoopStoodStillIsNotMadeUpFor() {
    endedAt = System.nanoTime();
    vertx.runOnContext(_ -> ticks.start());
    fifth.future().await();
    assertThat(rests).allMatch(rest -> rest.compareTo(PERIOD.minus(ROUNDING)) >= 0);
  }
}
