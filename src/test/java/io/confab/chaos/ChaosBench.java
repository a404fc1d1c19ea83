package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Long runs of the ledger under kills, by `scripts/chaos`; of the tests only the full ones do one.
class ChaosBench {
  /// On a machine that others use too, devices may say a tenth of what they want to.
  private static final int GUARD = 10;

  @Test
  void mixed() throws IOException, InterruptedException {
    Plan plan = plan(Duration.ofSeconds(whole("seconds", 120)), 150, whole("sealed", 16));
    RunResult outcome = MixedRun.run(plan);
    report(outcome.text());
    assertThat(outcome.isClean()).isTrue();
    assertThat(outcome.faults().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Nemesis.possible().stream().map(FaultKind::title).toList());
    assertThat((double) outcome.counts().getOrDefault("Acked", 0L))
        .isGreaterThan(plan.length().toSeconds() * plan.size().perSecond() / GUARD);
    assertThat(outcome.counts())
        .containsKeys("Revoked", "Archived", "member.left", "member.role", "member.muted")
        .containsKeys("TypingSaid", "TypingTold");
    if (plan.size().sealed() > 0) {
      assertThat(outcome.counts())
          .containsKeys("EnvelopeCame", "QueueMoved", "DeviceEnds", "StateTold", "device_mismatch");
    }
  }

  @Test
  void phases() throws IOException, InterruptedException {
    Plan plan = plan(Duration.ZERO, 100);
    Phases.Extent extent =
        new Phases.Extent(
            whole("times", 5), Duration.ofSeconds(whole("away", 60)), whole("drops", 1_000));
    System.out.printf("chaos: seed %d, phases, history in %s%n", plan.seed(), plan.folder());
    try (Stage stage = Stage.set(plan)) {
      stage.open();
      PhaseTable table = new Phases(stage, plan.seed()).run(extent);
      RunResult outcome = stage.finish();
      report(table.text() + "\n\n" + outcome.text() + "\n\n" + diskFull());
      assertThat(outcome.isClean()).isTrue();
      assertThat(table.breaches()).isEmpty();
    }
  }

  /// One node after the other is stopped in good order and started again.
  @Test
  void rolling() throws IOException {
    Plan plan = plan(Duration.ZERO, 100);
    System.out.printf("chaos: seed %d, rolling, history in %s%n", plan.seed(), plan.folder());
    try (Stage stage = Stage.set(plan)) {
      stage.open();
      RollingStop rolling = new RollingStop(stage);
      List<String> faults = rolling.run(stage.world().machines());
      RunResult outcome = stage.finish();
      report(
          "| node | sent away at most | clients | p50 | p99 | max |\n|---|---|---|---|---|---|\n"
              + String.join("\n", rolling.rows())
              + "\n\n"
              + String.join("\n", faults)
              + "\n"
              + outcome.text());
      assertThat(faults).isEmpty();
      assertThat(outcome.isClean()).isTrue();
    }
  }

  @Test
  void diskFullAlone() throws IOException, InterruptedException {
    report(diskFull());
  }

  private static String diskFull() throws IOException, InterruptedException {
    Plan plan = plan(Duration.ZERO, 100);
    Optional<SmallDisk> mounted = SmallDisk.mount(plan.folder(), 400);
    if (mounted.isEmpty()) {
      return "not done here: disk full (mkfs.ext4 and mount -o loop as root)";
    }
    try (SmallDisk disk = mounted.get();
        Stage stage = Stage.setOn(disk, plan)) {
      stage.open();
      Thread.sleep(3_000);
      String rows = new Phases(stage, plan.seed()).diskFull(disk, whole("times", 5));
      RunResult outcome = stage.finish();
      assertThat(outcome.isClean()).as(outcome.text()).isTrue();
      return rows + "\n\n" + outcome.text();
    }
  }

  private static Plan plan(Duration length, int rate) throws IOException {
    return plan(length, rate, 0);
  }

  private static Plan plan(Duration length, int rate, int sealed) throws IOException {
    return new Plan(
        length,
        Long.getLong("confab.chaos.seed", System.nanoTime() & 0xFF_FFFFL),
        whole("nodes", 3),
        new Fleet.Size(32, 5, whole("rate", rate), sealed),
        Files.createTempDirectory("confab-chaos"));
  }

  private static int whole(String name, int usual) {
    return Integer.getInteger("confab.chaos." + name, usual);
  }

  private static void report(String text) throws IOException {
    System.out.println(text);
    String file = System.getProperty("confab.chaos.report", "");
    if (!file.isEmpty()) {
      Files.writeString(Path.of(file), text + "\n");
    }
  }
}
