package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many histories of several nodes and a Redis that breaks down: never more inside than there are
/// seats, and nobody overtaken who stayed. A failure names its seed.
class SeatSimulationTest {
  private static final int HISTORIES = 100;
  private static final int HUNT = 100;
  private static final int SECONDS = 300;

  private static Optional<String> violation(long seed, SeatBug bug) {
    SeatWorld world = new SeatWorld(seed, bug);
    world.run(SECONDS);
    return world.violations.stream().map(found -> "seed " + seed + ": " + found).findFirst();
  }

  @Test
  void neverMoreAreInsideThanThereAreSeatsAndNobodyIsOvertaken() {
    assertThat(
            LongStream.rangeClosed(1, HISTORIES)
                .mapToObj(seed -> violation(seed, SeatBug.NONE))
                .flatMap(Optional::stream)
                .findFirst())
        .isEmpty();
  }

  @Test
  void peopleAreLetInAllTheWhile() {
    SeatWorld world = new SeatWorld(1, SeatBug.NONE);
    world.run(SECONDS);
    assertThat(world.admitted).isGreaterThan(10);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsFound(SeatBug bug) {
    assertThat(
            LongStream.rangeClosed(1, HUNT)
                .mapToObj(seed -> violation(seed, bug))
                .flatMap(Optional::stream)
                .findFirst())
        .as(bug.name())
        .isPresent();
  }
}
