package io.confab.socket;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ClientFrame;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Frames that are bent, broken and made of noise. `scripts/fuzz` runs as many as one likes.
class FrameFuzzTest {
  private static final long FRAMES = Long.getLong("confab.fuzz.frames", 100_000);
  private static final long FIRST = Long.getLong("confab.fuzz.first", 0);

  @Test
  void everyKindOfFrameIsAmongThoseThatAreBent() {
    FrameTable reader = new FrameTable(16_384, 1_000);
    assertThat(
            FrameTexts.VALID.stream()
                .map(text -> reader.read(text).frame())
                .filter(ClientFrame.class::isInstance)
                .map(frame -> requireNonNull(frame).getClass())
                .collect(Collectors.toSet()))
        .isEqualTo(Set.copyOf(List.of(ClientFrame.class.getPermittedSubclasses())));
  }

  @Test
  @Timeout(60)
  void theSameFramesAsEver() {
    FrameFuzz fuzz = new FrameFuzz(1);
    fuzz.run(0, 100_000, System.out::println);
    assertThat(fuzz.accepted()).isPositive();
    assertThat(fuzz.binary()).isPositive();
    for (CloseCode code : List.of(CloseCode.MALFORMED, CloseCode.NOT_UTF_8, CloseCode.TOO_LARGE)) {
      assertThat(fuzz.closed(code)).as("%s", code).isPositive();
    }
    for (ErrorCode code :
        List.of(
            ErrorCode.INVALID_JSON,
            ErrorCode.INVALID_FIELD,
            ErrorCode.UNKNOWN_TYPE,
            ErrorCode.TOO_LARGE)) {
      assertThat(fuzz.refused(code)).as("%s", code).isPositive();
    }
  }

  @Test
  @Timeout(3_600)
  void framesOfARandomSeed() {
    long seed = Long.getLong("confab.fuzz.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("Fuzzing with seed " + seed);
    new FrameFuzz(seed).run(FIRST, FRAMES, System.out::println);
  }
}
