package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final List<Fence> RISING =
      List.of(
          fence(1, 1),
          fence(1, 2),
          fence(1, 10),
          fence(1, Long.MAX_VALUE - 1),
          fence(1, Long.MAX_VALUE),
          fence(2, 1),
          fence(10, 1),
          fence(Long.MAX_VALUE, 0));

  private static Fence fence(long epoch, long number) {
    return new Fence(new Epoch(epoch), number);
  }

  @Test
  void theEpochCountsFirstAndTextsHaveTheSameOrder() {
    for (int older = 0; older < RISING.size(); older++) {
      for (int newer = 0; newer < RISING.size(); newer++) {
        Fence one = RISING.get(older);
        Fence other = RISING.get(newer);
        assertThat(other.isAfter(one)).isEqualTo(newer > older);
        assertThat(other.text().compareTo(one.text()) > 0).isEqualTo(newer > older);
      }
    }
  }

  @Test
  void aTextIsReadAsTheFenceItWasMadeOf() {
    RISING.forEach(fence -> assertThat(Fence.parse(fence.text())).isEqualTo(fence));
  }
}
