package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(60)
class PatienceTest {
  private static final Duration WHOLE = Duration.ofMillis(200);

  private final Vertx vertx;

  PatienceTest(Vertx vertx) {
    this.vertx = vertx;
  }

  @Test
  void timeInWhichTheLoopStoodStillCountsAsOneStep() {
    Promise<Duration> awake = Promise.promise();
    vertx.runOnContext(
        _ -> {
          Patience.start(vertx, WHOLE, () -> awake.complete(sinceWokenUp()));
          standStill();
        });
    assertThat(awake.future().await()).isGreaterThanOrEqualTo(WHOLE.dividedBy(2));
  }

  private long wokenUpAt;

  private Duration sinceWokenUp() {
    return Duration.ofNanos(System.nanoTime() - wokenUpAt);
  }

  private void standStill() {
    long end = System.nanoTime() + WHOLE.multipliedBy(2).toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    wokenUpAt = System.nanoTime();
  }

  @Test
  void whoseWaitIsCancelledLosesNothing() {
    Promise<Boolean> first = Promise.promise();
    vertx.runOnContext(
        _ -> {
          Patience.start(vertx, WHOLE, () -> first.tryComplete(false)).cancel();
          Patience.start(vertx, WHOLE.multipliedBy(2), () -> first.tryComplete(true));
        });
    assertThat(first.future().await()).isTrue();
  }
}
