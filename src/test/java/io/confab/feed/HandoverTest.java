package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final Handover handover = new Handover(loop::add, 1_000);
  private final List<String> done = new ArrayList<>();

  private boolean offer(String what, long bytes) {
    return handover.offer(bytes, () -> done.add(what));
  }

  @Test
  void whatWaitsIsBoundedAndInOrder() {
    assertThat(offer("a", 600)).isTrue();
    assertThat(offer("b", 401)).isFalse();
    assertThat(offer("c", 400)).isTrue();
    assertThat(offer("d", 1)).isFalse();
    loop.remove().run();
    assertThat(offer("e", 600)).isTrue();
    loop.forEach(Runnable::run);
    assertThat(done).containsExactly("a", "c", "e");
  }

  @Test
  void somethingLargeGoesAlone() {
    assertThat(offer("large", 5_000)).isTrue();
    assertThat(offer("small", 1)).isFalse();
    loop.remove().run();
    assertThat(offer("small", 1)).isTrue();
  }

  @Test
  void aTaskThatThrowsMakesRoomToo() {
    handover.offer(
        1_000,
        () -> {
          throw new IllegalStateException("on purpose");
        });
    assertThatThrownBy(() -> loop.remove().run()).hasMessage("on purpose");
    assertThat(offer("next", 1_000)).isTrue();
  }
}
