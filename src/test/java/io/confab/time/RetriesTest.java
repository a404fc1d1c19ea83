package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RetriesTest {
  private static final Duration FIRST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int MANY = 18_000;

  private final List<Duration> pauses = new ArrayList<>();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final Retries retries =
      new Retries(
          (pause, action) -> {
            pauses.add(pause);
            later.add(action);
          },
          new Backoff(FIRST, LONGEST, new SplittableRandom(7)));
  private boolean away;
  private int asked;

  private Future<?> ask() {
    asked++;
    return away ? Future.failedFuture("away") : Future.succeededFuture();
  }

  @Test
  void whatSucceedsIsTriedOnce() {
    assertThat(retries.untilDone(this::ask).succeeded()).isTrue();

    assertThat(asked).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void whatIsAwayForManyIsAskedForByAFewWithGrowingPauses() {
    away = true;
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(retries.untilDone(this::ask));
    }
    for (int i = 0; i < 9; i++) {
      int before = asked;
      assertThat(later).hasSize(1);
      later.remove().run();
      assertThat(asked - before).isEqualTo(Retries.TOGETHER);
    }
    assertThat(pauses).hasSize(10);
    assertThat(pauses.subList(5, 10))
        .allSatisfy(pause -> assertThat(pause).isBetween(LONGEST.dividedBy(2), LONGEST));

    away = false;
    later.remove().run();
    assertThat(later).isEmpty();
    assertThat(all).allMatch(Future::succeeded);
  }
}
