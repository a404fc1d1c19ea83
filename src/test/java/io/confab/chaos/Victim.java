package io.confab.chaos;

import io.confab.fault.NodeProcess;
import io.confab.testing.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// A machine whose node dies at crash points. For one thread.
///
/// @param devices are sent to it again and again
record Victim(Machine machine, RunContext world, List<Device> devices, RandomGenerator random) {
  private static final Duration READY_WITHIN = Duration.ofMinutes(5);

  /// From when it is ready.
  private static final Duration REACHED_WITHIN = Duration.ofSeconds(150);

  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  /// A node that cannot reach in time what it needs ends with this before it serves.
  private static final int NOT_STARTED = 1;

  private static final int STARTS = 3;
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final long MOVE_MS = 250;
  private static final long SWALLOW_MS = 150;

  /// Whether the node ended there, and not otherwise; if not, it is told as an anomaly.
  boolean diesAt(CrashPoint point, CrashProgram program) {
    int pass = 1 + random.nextInt(point.mostPasses());
    NodeProcess node = machine.startChanged(program.classes(), program.dying(point, pass));
    Optional<Integer> exit = attract(node, point);
    for (int i = 1; i < STARTS && exit.equals(Optional.of(NOT_STARTED)); i++) {
      node = machine.startChanged(program.classes(), program.dying(point, pass));
      exit = attract(node, point);
    }
    boolean there =
        exit.equals(Optional.of(Halt.CODE)) && node.output().contains(Halt.trace(point.name()));
    if (!there) {
      world.anomalies().add("not ended at " + point + ", pass " + pass + ", but " + exit);
      System.out.println(node.output());
    }
    node.kill();
    machine.heal();
    return there;
  }

  /// Answers how it ended; empty when it did not in time.
  private Optional<Integer> attract(NodeProcess node, CrashPoint point) {
    long deadline = world.millis() + READY_WITHIN.toMillis();
    boolean ready = false;
    long nextMove = 0;
    Optional<Integer> exit = node.exit(LOOK);
    while (exit.isEmpty() && world.millis() < deadline) {
      if (!ready && node.isReady()) {
        ready = true;
        deadline = world.millis() + REACHED_WITHIN.toMillis();
        devices.forEach(Victim::moveOn);
      } else if (ready && world.millis() > nextMove) {
        nextMove = world.millis() + MOVE_MS;
        moveOn(devices.get(random.nextInt(devices.size())));
        if (point == CrashPoint.AFTER_SETTLE) {
          loseAnswers();
        }
      }
      exit = node.exit(LOOK);
    }
    return exit;
  }

  private static void moveOn(Device device) {
    device.ask(Device::moveOn);
  }

  /// What the node tells the database arrives, what that answers does not.
  private void loseAnswers() {
    machine.postgres().conduct(TcpProxy.Conduct.LOSE_ANSWERS);
    try {
      Thread.sleep(SWALLOW_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    machine.postgres().heal();
  }

  /// Has a node that serves for a moment write down which classes it loaded.
  void archive(CrashProgram program) {
    NodeProcess node = machine.startChanged(program.classes(), program.archiving());
    long deadline = world.millis() + READY_WITHIN.toMillis();
    while (!node.isReady() && node.isAlive() && world.millis() < deadline) {
      node.exit(LOOK);
    }
    devices.forEach(Victim::moveOn);
    node.exit(Duration.ofSeconds(1));
    node.terminate();
    node.exit(ENDS_WITHIN);
    node.kill();
  }
}
