package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.confab.bench.Processes.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadTest {
  private static final long BENCH = 10;
  private static final long NODE = 20;
  private static final long SECOND_NS = 1_000_000_000L;

  /// The bench runs a node with a PostgreSQL under a shell, which has a backend; another contestant
  /// is idle or not; somebody else's shell runs a compiler.
  private static Processes at(long nanos, long node, Entry... more) {
    Map<Long, Entry> all =
        new HashMap<>(
            Map.of(
                1L,
                new Entry(0, "init", 5, 0),
                2L,
                new Entry(0, "kthreadd", nanos / 1_000, 0),
                BENCH,
                new Entry(1, "java", 3 * node, 0),
                NODE,
                new Entry(BENCH, "java", node, 0),
                21L,
                new Entry(NODE, "sh", 0, 0),
                22L,
                new Entry(21, "postgres", 2 * node, 0)));
    for (int i = 0; i < more.length; i++) {
      all.put(100L + i, more[i]);
    }
    return new Processes(all, 0, nanos);
  }

  private static Load between(Processes before, Processes after) {
    return Load.between(before, after, List.of(NODE), BENCH);
  }

  @Test
  void timeGoesToTheRolesOfWhatTheContestantBegan() {
    Load load = between(at(0, 1_000), at(SECOND_NS, 4_000));

    assertThat(load.of(Role.SERVER)).isEqualTo(3_000);
    assertThat(load.of(Role.POSTGRES)).isEqualTo(6_000);
    assertThat(load.of(Role.REDIS)).isZero();
    assertThat(load.total()).isEqualTo(9_000);
    assertThat(load.driver()).isEqualTo(9_000);
    assertThat(load.foreign()).isZero();
  }

  @Test
  void aBackendThatEndedCountsWithTheServerThatWaitedForIt() {
    Processes before = at(0, 0, new Entry(22, "postgres", 500, 0));
    Processes after = at(SECOND_NS, 0);
    Map<Long, Entry> ended = new HashMap<>(after.all());
    ended.put(22L, new Entry(21, "postgres", 0, 700));

    assertThat(between(before, new Processes(ended, 0, SECOND_NS)).of(Role.POSTGRES))
        .isEqualTo(200);
  }

  @Test
  void othersAreForeignAndOtherContestantsAreNot() {
    Load load =
        between(
            at(0, 0, new Entry(1, "javac", 0, 0), new Entry(BENCH, "node", 0, 0)),
            at(
                SECOND_NS,
                0,
                new Entry(1, "javac", 250_000, 50_000),
                new Entry(BENCH, "node", 400_000, 0)));

    assertThat(load.foreign()).isCloseTo(0.3, within(1e-9));
    assertThat(load.total()).isZero();
  }

  @Test
  void whatTheMachineBelowTookIsForeign() {
    Processes after = at(SECOND_NS, 0);

    assertThat(between(at(0, 0), new Processes(after.all(), 500_000, SECOND_NS)).foreign())
        .isCloseTo(0.5, within(1e-9));
  }

  @Test
  void aProgramsNameMayHoldBlanksAndBrackets() {
    String stat = "42 (a) b (c) S 7 42 42 0 -1 4194304 100 0 0 0 11 12 13 14 20 0 1 0 100 1000 10";

    assertThat(Processes.parse(stat)).isEqualTo(new Entry(7, "a) b (c", 230_000, 270_000));
  }

  @Test
  void thisProcessIsBelowItself() {
    long own = ProcessHandle.current().pid();

    assertThat(Processes.now().below(List.of(own))).contains(own);
  }
}
