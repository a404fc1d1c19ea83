package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairLineTest {
  private final FairLine<String, String> line = new FairLine<>(6);

  private List<String> served() {
    List<String> served = new ArrayList<>();
    for (Optional<String> next = line.poll(); next.isPresent(); next = line.poll()) {
      served.add(next.get());
    }
    return served;
  }

  @Test
  void everybodyIsServedInTurn() {
    List.of("a1", "a2", "a3", "b1", "c1", "b2")
        .forEach(each -> line.add(each.substring(0, 1), each));
    assertThat(served()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
    assertThat(line.poll()).isEmpty();
  }

  @Test
  void whoWaitsWithMostMakesRoom() {
    for (int i = 1; i <= 5; i++) {
      assertThat(line.add("a", "a" + i)).isEmpty();
    }
    assertThat(line.add("b", "b1")).isEmpty();
    assertThat(line.add("c", "c1")).contains("a5");
    assertThat(line.add("a", "a6")).contains("a6");
    assertThat(line.add("b", "b2")).contains("a4");
    assertThat(served()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }
}
