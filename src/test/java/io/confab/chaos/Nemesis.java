package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Breaks one thing after the other: first each kind once in an order of chance, then by weight.
/// Killed nodes come back by themselves, while it goes on with the others. Belongs to one thread.
final class Nemesis implements AutoCloseable {
  private static final Duration NOTICED_WITHIN = Duration.ofSeconds(30);
  private static final int TRIES = 3;
  private static final int LEAST_PAUSE_MS = 300;
  private static final int MOST_PAUSE_MS = 1_500;

  private final RunContext world;
  private final Predicate<Machine> used;
  private final Random random;
  private final List<FaultKind> kinds;
  private final FaultInjector faults;
  private final Set<Machine> down = ConcurrentHashMap.newKeySet();
  private final Set<Machine> killed = ConcurrentHashMap.newKeySet();
  private final List<Future<?>> restarts = new ArrayList<>();
  private final ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);

  /// @param used whether anybody is connected to a node: else its faults have no effect
  Nemesis(Servers servers, RunContext world, Predicate<Machine> used, long seed) {
    this.world = world;
    this.used = used;
    this.random = new Random(seed);
    this.kinds = possible();
    this.faults = new FaultInjector(servers, world, random, this::kill, this::restarting);
  }

  /// What can be done on this machine.
  static List<FaultKind> possible() {
    List<FaultKind> kinds = new ArrayList<>(Arrays.asList(FaultKind.values()));
    if (!ClusterCut.works()) {
      kinds.removeAll(List.of(FaultKind.CLUSTER_CUT, FaultKind.NODE_ALONE));
      System.out.println("chaos: not done here: cluster cut, node alone (ss -K as root)");
    }
    return kinds;
  }

  /// Unless it is down already.
  private void kill(Machine machine) {
    if (down.add(machine)) {
      killed.add(machine);
      machine.kill();
    }
  }

  /// If it was killed.
  private void restarting(Machine machine) {
    if (killed.remove(machine)) {
      restarts.add(starters.submit(() -> restart(machine)));
    }
  }

  private void restart(Machine machine) {
    machine.start();
    down.remove(machine);
  }

  /// Goes on until each kind was done and it is told that it is time to stop; the fault under
  /// way is ended first.
  void run(BooleanSupplier stop) throws InterruptedException {
    List<FaultKind> first = new ArrayList<>(kinds);
    Collections.shuffle(first, random);
    for (int i = 0; i < first.size() || !stop.getAsBoolean(); i++) {
      strike(i < first.size() ? first.get(i) : any());
      Thread.sleep(random.nextInt(LEAST_PAUSE_MS, MOST_PAUSE_MS));
    }
  }

  private FaultKind any() {
    int ticket = random.nextInt(kinds.stream().mapToInt(FaultKind::weight).sum());
    for (FaultKind kind : kinds) {
      ticket -= kind.weight();
      if (ticket < 0) {
        return kind;
      }
    }
    throw new IllegalStateException();
  }

  /// Breaks one thing, waits until somebody noticed, and makes it whole; a few times if nobody did:
  /// what it was to meet may have been over just then.
  void strike(FaultKind kind) throws InterruptedException {
    Machine on = victim();
    Fault fault = faults.make(kind, on);
    History history = world.history();
    history.add(t -> new Entry.FaultBegan(t, fault.name(), fault.target()));
    on.struck(true);
    Optional<String> seen = effect(fault);
    for (int i = 1; i < TRIES && seen.isEmpty(); i++) {
      seen = effect(faults.make(kind, on));
    }
    on.struck(false);
    seen.ifPresent(
        what -> history.add(t -> new Entry.FaultSeen(t, fault.name(), fault.target(), what)));
    history.add(t -> new Entry.FaultEnded(t, fault.name(), fault.target()));
    done.merge(kind, 1, Integer::sum);
  }

  private Optional<String> effect(Fault fault) throws InterruptedException {
    Supplier<Optional<String>> effect = fault.begin().get();
    Thread.sleep(fault.hold());
    Optional<String> seen = await(effect);
    fault.end().run();
    return seen.isEmpty() ? await(effect) : seen;
  }

  private Optional<String> await(Supplier<Optional<String>> effect) throws InterruptedException {
    long deadline = world.millis() + NOTICED_WITHIN.toMillis();
    Optional<String> seen = effect.get();
    while (seen.isEmpty() && world.millis() < deadline) {
      Thread.sleep(50);
      seen = effect.get();
    }
    return seen;
  }

  /// A machine that runs and is used, while another one runs too. Fails when one does not come
  /// back: the others would be waited for in vain.
  private Machine victim() throws InterruptedException {
    while (true) {
      restarts.stream().filter(Future::isDone).forEach(Nemesis::requireBack);
      List<Machine> up = new ArrayList<>();
      for (Machine machine : world.machines()) {
        if (!down.contains(machine)) {
          ended(machine);
          up.add(machine);
        }
      }
      List<Machine> busy = up.stream().filter(used).toList();
      if (up.size() >= Math.min(2, world.machines().size()) && !busy.isEmpty()) {
        return busy.get(random.nextInt(busy.size()));
      }
      Thread.sleep(50);
    }
  }

  /// A node that nobody killed and that does not run has failed by itself.
  private void ended(Machine machine) {
    if (!machine.isRunning()) {
      world.anomalies().add(machine.name() + " ended by itself");
      down.add(machine);
      killed.add(machine);
      restarting(machine);
    }
  }

  /// How often each kind was done.
  Map<FaultKind, Integer> done() {
    return done;
  }

  /// Makes everything whole and waits until all nodes run; fails when one does not come back.
  void heal() {
    world.machines().forEach(Machine::heal);
    restarts.forEach(Nemesis::requireBack);
  }

  private static void requireBack(Future<?> restart) {
    try {
      restart.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("a node does not start again", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    starters.shutdownNow();
  }
}
