package io.confab.chaos;

import io.confab.ledger.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Has nodes die at crash points, while the fleet talks by them and by one that is never struck,
/// and checks in between. For one thread.
final class CrashRun implements AutoCloseable {
  private final Stage stage;
  private final RunContext world;
  private final List<Machine> victims;
  private final Guests guests;
  private final SplittableRandom random;
  private final Map<CrashPoint, Integer> reached = new EnumMap<>(CrashPoint.class);
  private final Set<Violation> known = new HashSet<>();
  private int anomalies;

  private CrashRun(Plan plan) {
    this.stage = Stage.set(plan);
    this.world = stage.world();
    this.victims = world.machines().subList(1, plan.nodes());
    this.random = new SplittableRandom(plan.seed());
    this.guests = Guests.of(stage, plan.seed());
    stage.open();
    victims.forEach(Machine::kill);
  }

  /// @param victims how many nodes die by turns, besides one that does not
  static CrashRun on(Path folder, long seed, int victims) {
    return new CrashRun(
        new Plan(Duration.ZERO, seed, 1 + victims, new Fleet.Size(10, 3, 40), folder));
  }

  /// Has nodes die at each of these points once, several at a time; then all that happened so far
  /// is checked.
  ///
  /// @return what is wrong and was not before
  List<String> round(CrashProgram program, List<CrashPoint> points) {
    Queue<CrashPoint> queue = new ConcurrentLinkedQueue<>(points);
    world.accepting().set(true);
    guests.move(true);
    List<CompletableFuture<List<CrashPoint>>> deaths =
        victims.stream()
            .map(victim -> new Victim(victim, world, devices(), random.split()))
            .map(
                victim ->
                    CompletableFuture.supplyAsync(
                        () -> die(victim, program, queue), Thread::startVirtualThread))
            .toList();
    deaths.forEach(death -> death.join().forEach(point -> reached.merge(point, 1, Integer::sum)));
    return check();
  }

  private static List<CrashPoint> die(
      Victim victim, CrashProgram program, Queue<CrashPoint> queue) {
    List<CrashPoint> there = new ArrayList<>();
    for (CrashPoint next = queue.poll(); next != null; next = queue.poll()) {
      if (victim.diesAt(next, program)) {
        there.add(next);
      }
    }
    return there;
  }

  private List<String> check() {
    guests.move(false);
    guests.check(stage.calm());
    List<String> wrong = new ArrayList<>();
    stage.violations().stream().filter(known::add).map(Violation::toString).forEach(wrong::add);
    world.anomalies().stream().skip(anomalies).forEach(wrong::add);
    anomalies = world.anomalies().size();
    return wrong;
  }

  /// Starts nodes quicker from now on.
  void archive(CrashProgram program) {
    new Victim(victims.getFirst(), world, devices(), random.split()).archive(program);
  }

  /// How often a node died there.
  int reached(CrashPoint point) {
    return reached.getOrDefault(point, 0);
  }

  /// Everything once more, and the history over HTTP besides.
  RunResult finish() {
    guests.move(false);
    guests.check(stage.calm());
    return stage.finish();
  }

  private List<Device> devices() {
    List<Device> all = new ArrayList<>(stage.fleet().devices());
    all.addAll(guests.devices());
    return all;
  }

  @Override
  public void close() {
    guests.close();
    stage.close();
  }
}
