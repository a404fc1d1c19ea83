package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.fault.NodeProcess;
import io.confab.ledger.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// SIGTERM for one node after the other under load, each started again before the next one.
final class RollingStop {
  /// A node gives its end up after 19 s; the JVM may need a while then, and so may the machine.
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int SIGTERM = 143;
  private static final int MOST_RECONNECTS = 2;

  private final Stage stage;
  private final List<String> faults = new ArrayList<>();
  private final List<String> rows = new ArrayList<>();

  RollingStop(Stage stage) {
    this.stage = stage;
  }

  /// Answers what was wrong: a node that took too long, clients that were sent away more often than
  /// twice by one stop.
  List<String> run(List<Machine> machines) {
    machines.forEach(this::restart);
    return faults;
  }

  /// For each stop how many clients moved, how often one was sent away at most, and from the signal
  /// until each was connected again with all that had been acknowledged by then, in milliseconds.
  List<String> rows() {
    return rows;
  }

  private void restart(Machine machine) {
    await("somebody is with " + machine.name())
        .atMost(PATIENCE)
        .until(() -> stage.fleet().uses(machine));
    int before = stage.world().history().entries().size();
    long signal = stage.world().nanos().getAsLong();
    NodeProcess process = machine.process();
    process.terminate();
    if (process.exit(LIMIT).filter(code -> code == 0 || code == SIGTERM).isEmpty()) {
      faults.add(machine.name() + " did not end well within " + LIMIT + ":\n" + process.output());
    }
    process.close();
    await("everybody is connected elsewhere")
        .atMost(PATIENCE)
        .until(() -> stage.fleet().allLive() && !stage.fleet().uses(machine));
    Map<String, Long> away = sentAway(machine, before);
    away.forEach(
        (client, times) -> {
          if (times > MOST_RECONNECTS) {
            faults.add(client + " was sent away " + times + " times by " + machine.name());
          }
        });
    machine.start();
    long most = away.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Times whole = new Recovery(stage.world().history().since(before)).whole(machine.name(), signal);
    rows.add("| " + machine.name() + " | " + most + " | " + whole.cells() + " |");
  }

  /// How often each client lost a connection to it that it did not leave by itself, or was sent
  /// away by another one. Others may seem silent meanwhile, on a machine that has much to do.
  private Map<String, Long> sentAway(Machine machine, int before) {
    return stage.world().history().since(before).stream()
        .filter(Entry.Disconnected.class::isInstance)
        .map(Entry.Disconnected.class::cast)
        .filter(lost -> lost.code() != Entry.BY_ITSELF)
        .filter(lost -> lost.node().equals(machine.name()) || lost.code() != Entry.UNTOLD)
        .collect(Collectors.groupingBy(Entry.Disconnected::client, Collectors.counting()));
  }
}
