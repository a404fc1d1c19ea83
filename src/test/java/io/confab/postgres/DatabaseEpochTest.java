package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Epoch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DatabaseEpochTest {
  private final DatabaseEpoch epoch = new DatabaseEpoch();
  private final Queue<Runnable> context = new ArrayDeque<>();
  private final List<Epoch> told = new ArrayList<>();

  @Test
  void itOnlyRises() {
    assertThat(epoch.current()).isEqualTo(new Epoch(0));
    epoch.saw(new Epoch(3));
    epoch.saw(new Epoch(2));
    assertThat(epoch.current()).isEqualTo(new Epoch(3));
  }

  @Test
  void aRaiseIsToldOnceAndOnTheListenersContext() {
    epoch.saw(new Epoch(1));
    epoch.onChange(context::add, told::add);
    List.of(2L, 2L, 1L, 5L, 3L).forEach(value -> epoch.saw(new Epoch(value)));
    assertThat(told).isEmpty();
    context.forEach(Runnable::run);
    assertThat(told).containsExactly(new Epoch(2), new Epoch(5));
  }

  @Test
  void everyListenerIsTold() {
    List<Epoch> other = new ArrayList<>();
    epoch.onChange(context::add, told::add);
    epoch.onChange(context::add, other::add);
    epoch.saw(new Epoch(7));
    context.forEach(Runnable::run);
    assertThat(told).containsExactly(new Epoch(7)).isEqualTo(other);
  }

  @Test
  void manyThreadsTellInOrderAndOnce() throws InterruptedException {
    epoch.onChange(Runnable::run, told::add); // under the lock of the raise
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        threads.submit(
            () -> {
              go.await();
              for (long value = 1; value <= 1_000; value++) {
                epoch.saw(new Epoch(value));
              }
              return null;
            });
      }
      go.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(told).isSorted().doesNotHaveDuplicates().last().isEqualTo(new Epoch(1_000));
    assertThat(epoch.current()).isEqualTo(new Epoch(1_000));
  }
}
