package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SharedBoundTest {
  private final SharedBound halves = new SharedBound(1_000);
  private final List<Integer> gone = new ArrayList<>();
  private final List<Runnable> clients =
      IntStream.range(0, 5).<Runnable>mapToObj(i -> () -> leave(i)).toList();

  private void leave(int client) {
    gone.add(client);
    halves.holds(clients.get(client), 0);
  }

  @Test
  void whoHasLetBytesWaitForLongestGoesFirst() {
    halves.holds(clients.get(0), 400);
    halves.holds(clients.get(1), 400);
    halves.holds(clients.get(0), 500); // more of the same frame
    halves.holds(clients.get(2), 300);

    assertThat(gone).containsExactly(0);
    assertThat(halves.bytes()).isEqualTo(700);
  }

  @Test
  void whoFinishesItsFramesStays() {
    for (int i = 0; i < 100; i++) {
      halves.holds(clients.get(i % 5), 900);
      halves.holds(clients.get(i % 5), 0);
    }

    assertThat(gone).isEmpty();
    assertThat(halves.bytes()).isZero();
  }

  @Test
  void aSingleFrameMayBeLargerThanTheBound() {
    halves.holds(clients.get(0), 2_000);
    assertThat(gone).isEmpty();

    halves.holds(clients.get(1), 10);
    assertThat(gone).containsExactly(0);
    assertThat(halves.bytes()).isEqualTo(10);
  }
}
