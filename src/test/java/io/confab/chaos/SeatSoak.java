package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ten thousand entries at once into fifty rooms of a hundred seats, and what becomes of them
/// while nodes and Redis are killed. Run by `scripts/soak-seats`; not part of the tests.
@Timeout(7_200)
class SeatSoak {
  private static final Duration TURN = Duration.ofMillis(500);

  @Test
  @SuppressWarnings("SystemOut")
  void soak(@TempDir Path folder) throws InterruptedException, IOException {
    int rooms = whole("rooms", 50);
    int accounts = whole("accounts", 2_000);
    int capacity = whole("capacity", 100);
    long seed = Long.getLong("soak.seed", System.nanoTime());
    System.out.printf("soak-seats: seed %d%n", seed);
    SeatFindings findings =
        SeatRun.run(
            new SeatRun.Extent(
                new SeatCrowd.Size(accounts, rooms, whole("each", 5), capacity),
                whole("pollers", accounts / 20),
                new SeatHabits(
                    Duration.ofSeconds(whole("inside", 40)),
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(240)),
                Duration.ofSeconds(whole("seconds", 300)),
                Duration.ofSeconds(whole("calm", 25)),
                Duration.ofSeconds(2),
                whole("nodes", 3),
                seed,
                folder,
                jvm()),
            System.out::println);
    if (!findings.faults().isEmpty() || findings.turn(0.99).compareTo(TURN) > 0) {
      Path log = Files.createTempFile("seats", ".csv");
      Files.copy(folder.resolve("seats.csv"), log, StandardCopyOption.REPLACE_EXISTING);
      System.out.println("what everybody did and was told: " + log);
    }
    assertThat(findings.faults()).isEmpty();
    assertThat(findings.turn(0.99)).isLessThanOrEqualTo(TURN);
  }

  /// As `scripts/run` starts nodes, with the cache that is made once a build, where there is one.
  private static List<String> jvm() {
    List<String> options = new ArrayList<>(List.of("-Xmx1g"));
    options.add("-XX:TieredStopAtLevel=" + whole("jit", 1));
    String cache = System.getProperty("soak.cache");
    if (cache != null) {
      options.add("-XX:+UseCompactObjectHeaders");
      options.addAll(List.of("-Xlog:aot*=off", "-XX:AOTCache=" + cache));
    }
    return options;
  }

  private static int whole(String name, int otherwise) {
    return Integer.getInteger("soak." + name, otherwise);
  }
}
