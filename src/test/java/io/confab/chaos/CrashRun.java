package io.confab.chaos;

import io.confab.fault.NodeProcess;
import io.confab.ledger.Entry;
import io.confab.ledger.Violation;
import io.confab.simulation.Bug;
import io.confab.simulation.Mutant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Has one of two nodes die at crash points, again and again, while the fleet talks by both, and
/// checks after each point. For one thread.
final class CrashRun implements AutoCloseable {
  private static final Duration REACHED_WITHIN = Duration.ofSeconds(60);
  private static final long LOOK_MS = 50;
  private static final long MOVE_MS = 250;
  private static final long SWALLOW_MS = 150;

  private final Stage stage;
  private final World world;
  private final Machine victim;
  private final Guests guests;
  private final SplittableRandom random;
  private final Set<Violation> known = new HashSet<>();

  /// What was seen at one point.
  ///
  /// @param again sends that had an unknown outcome and turned out stored
  /// @param wrong violations and what else must not be
  record Row(CrashPoint point, int times, int reached, long acked, long again, List<String> wrong) {
    static final String HEAD =
        """
        | Point | Where | The node dies when | Times | Reached | Acknowledged | Retries recognised | Violations |
        |---|---|---|---:|---:|---:|---:|---:|""";

    @Override
    public String toString() {
      return "| %s | `%s` | %s | %d | %d | %d | %d | %d |"
          .formatted(
              point, point.place(), point.title(), times, reached, acked, again, wrong.size());
    }

    boolean isClean() {
      return wrong.isEmpty() && reached == times;
    }
  }

  private CrashRun(Plan plan) {
    this.stage = Stage.set(plan);
    this.world = stage.world();
    this.victim = world.machines().getLast();
    this.random = new SplittableRandom(plan.seed());
    this.guests = Guests.of(stage, plan.seed());
    stage.open();
    victim.kill();
  }

  /// Two nodes, of which the first is never struck.
  static CrashRun on(Path folder, long seed) {
    return new CrashRun(new Plan(Duration.ZERO, seed, 2, new Fleet.Size(10, 3, 60), folder));
  }

  Row crash(CrashPoint point, int times) {
    return crash(point, point.planted(), times);
  }

  /// @param planted the point, and perhaps a bug besides
  Row crash(CrashPoint point, Bug planted, int times) {
    int before = world.history().size();
    int anomalies = world.anomalies().size();
    int reached = 0;
    try (Mutant mutant = Mutant.with(planted)) {
      addHalt(mutant.folder());
      world.accepting().set(true);
      guests.move(true);
      for (int i = 0; i < times; i++) {
        int pass = 1 + random.nextInt(point.mostPasses());
        if (dies(point, mutant.folder(), pass)) {
          reached++;
        }
      }
    }
    List<String> wrong = new ArrayList<>(check());
    world.anomalies().stream().skip(anomalies).forEach(wrong::add);
    List<Entry> entries = world.history().since(before);
    return new Row(
        point,
        times,
        reached,
        entries.stream().filter(Entry.Acked.class::isInstance).count(),
        entries.stream().filter(e -> e instanceof Entry.Acked a && a.duplicate()).count(),
        wrong);
  }

  private List<String> check() {
    guests.move(false);
    guests.check(stage.calm());
    return stage.violations().stream().filter(known::add).map(Violation::toString).toList();
  }

  /// Everything once more, and the history over HTTP besides.
  Outcome finish() {
    guests.move(false);
    guests.check(stage.calm());
    return stage.finish();
  }

  /// Whether the node ended there, and not otherwise; if not, what it did is told.
  private boolean dies(CrashPoint point, Path classes, int pass) {
    NodeProcess node = victim.startChanged(classes, List.of("-D" + Halt.PASS + "=" + pass));
    long deadline = world.millis() + REACHED_WITHIN.toMillis();
    boolean ready = false;
    long nextMove = 0;
    Optional<Integer> exit = node.exit(Duration.ofMillis(LOOK_MS));
    while (exit.isEmpty() && world.millis() < deadline) {
      if (!ready && node.isReady()) {
        ready = true;
        devices().forEach(device -> device.ask(CrashRun::moveOn));
      } else if (ready && world.millis() > nextMove) {
        nextMove = world.millis() + MOVE_MS;
        List<Device> all = devices();
        all.get(random.nextInt(all.size())).ask(CrashRun::moveOn);
        if (point == CrashPoint.AFTER_SETTLE) {
          loseAnswers();
        }
      }
      exit = node.exit(Duration.ofMillis(LOOK_MS));
    }
    String log = node.output();
    boolean there = exit.equals(Optional.of(Halt.CODE)) && log.contains(Halt.trace(point.name()));
    if (!there) {
      world.anomalies().add("not ended at " + point + ", pass " + pass + ", but " + exit);
      System.out.println(log);
    }
    victim.heal();
    return there;
  }

  private List<Device> devices() {
    List<Device> all = new ArrayList<>(stage.fleet().devices());
    all.addAll(guests.devices());
    return all;
  }

  private static boolean moveOn(Device device) {
    device.moveOn();
    return true;
  }

  /// What the node tells the database arrives, what it answers does not.
  private void loseAnswers() {
    victim
        .postgres()
        .conduct(new FaultProxy.Conduct.Swallow(Set.of(FaultProxy.Way.TO_CLIENT)));
    try {
      Thread.sleep(SWALLOW_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    victim.postgres().heal();
  }

  private static void addHalt(Path classes) {
    try (InputStream halt = Halt.class.getResourceAsStream("Halt.class")) {
      Path target = classes.resolve("io/confab/chaos/Halt.class");
      Files.createDirectories(target.getParent());
      Files.write(target, java.util.Objects.requireNonNull(halt).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    guests.close();
    stage.close();
  }
}
