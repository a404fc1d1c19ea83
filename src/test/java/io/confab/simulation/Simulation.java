package io.confab.simulation;

import static io.confab.simulation.Scheduler.MILLI;
import static io.confab.simulation.Scheduler.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs the history of a seed to its end and checks it.
public final class Simulation {
  private static final long PATIENCE = 90 * SECOND;
  private static final long STEP = 500 * MILLI;

  private Simulation() {}

  public static HistoryResult run(long seed) {
    return run(seed, null);
  }

  /// @param trace is told all that happens
  public static HistoryResult run(long seed, @Nullable Consumer<String> trace) {
    return run(new SimWorld(seed, true, trace));
  }

  /// Of nodes that tell each other no digests, which would mend what must not break either;
  /// after all has healed they connect to pub/sub anew.
  public static HistoryResult runWithoutDigests(long seed) {
    return run(new SimWorld(seed, false, null));
  }

  private static HistoryResult run(SimWorld world) {
    List<String> violations = new ArrayList<>();
    try {
      Script script = new Script(world);
      script.plan();
      world.scheduler().runUntil(script.end());
      long now = script.end() + script.quietAfter();
      world.scheduler().runUntil(now);
      while (!isQuiet(world) && now < script.end() + PATIENCE) {
        now += STEP;
        world.scheduler().runUntil(now);
      }
      violations.addAll(Checks.of(world));
    } catch (RuntimeException bug) {
      violations.add("BUG: " + bug + " at " + Arrays.stream(bug.getStackTrace()).limit(5).toList());
    }
    return new HistoryResult(world.seed(), violations, world.fingerprint(), world.entries().size());
  }

  private static boolean isQuiet(SimWorld world) {
    return world.clients().stream().allMatch(client -> isQuiet(world, client));
  }

  private static boolean isQuiet(SimWorld world, SimClient client) {
    return client.isAtRest()
        && world.database().rooms().stream().allMatch(room -> isQuiet(client, room));
  }

  private static boolean isQuiet(SimClient client, ModelRoom room) {
    return room.isMember(client.account())
        ? client.tap().isUpToDate(room) && client.shown().differences(room).isEmpty()
        : !client.tap().follows(room.id);
  }
}
