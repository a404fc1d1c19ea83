package io.confab.chaos;

import io.confab.ledger.Entry;
import java.time.Duration;
import java.util.List;

/// Everything at once for a while: the fleet talks, the nemesis breaks, and then it is checked.
final class MixedRun {
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  /// An answer takes a few milliseconds, and a good part of a second where much else runs.
  private static final Duration STILL = Duration.ofSeconds(1);

  private MixedRun() {}

  static RunResult run(Plan plan) throws InterruptedException {
    System.out.printf(
        "chaos: seed %d, %d nodes, %s, history in %s%n",
        plan.seed(), plan.nodes(), plan.length(), plan.folder());
    try (Stage stage = Stage.setForComingAndGoing(plan)) {
      RunContext world = stage.world();
      Crowd crowd = Crowd.join(world, stage.fleet(), plan.seed());
      stage.open();
      long begin = world.millis();
      try (Churn _ = Churn.start(world, stage.fleet().rooms(), plan.seed());
          Pulse pulse = pulse(stage);
          Crowd _ = crowd.start();
          Moderation _ = Moderation.start(world, stage.fleet(), plan.length(), plan.seed());
          SealedChurn _ = SealedChurn.start(world, stage.sealed(), plan.seed());
          Revocations _ = Revocations.start(world, stage.fleet(), Stage.API_KEY, plan.seed());
          Nemesis nemesis = new Nemesis(stage.servers(), world, stage.fleet()::uses, plan.seed())) {
        Thread teller = Thread.ofVirtual().start(() -> tell(world, begin));
        nemesis.run(() -> world.millis() - begin >= plan.length().toMillis());
        nemesis.heal();
        world.anomalies().addAll(pulse.slow());
        teller.interrupt();
      }
      System.out.println("chaos: healed, waiting until everybody has everything");
      return stage.finish();
    }
  }

  private static Pulse pulse(Stage stage) {
    RunContext world = stage.world();
    Fleet fleet = stage.fleet();
    return Pulse.start(
        world.machines(),
        STILL,
        fleet.owner(fleet.rooms().getLast())::at,
        world.nanos(),
        (machine, since, _) ->
            world.history().add(t -> new Entry.StoodStill(t, machine.name(), since)));
  }

  private static void tell(RunContext world, long begin) {
    int place = 0;
    long acked = 0;
    long received = 0;
    long envelopes = 0;
    long faults = 0;
    try {
      while (true) {
        Thread.sleep(TELL_EVERY);
        List<Entry> more = world.history().since(place);
        place += more.size();
        acked += more.stream().filter(Entry.Acked.class::isInstance).count();
        received += more.stream().filter(Entry.Received.class::isInstance).count();
        envelopes += more.stream().filter(Entry.EnvelopeCame.class::isInstance).count();
        faults += more.stream().filter(Entry.FaultBegan.class::isInstance).count();
        System.out.printf(
            "chaos: %4d s, %d acknowledged, %d received, %d envelopes, %d faults%n",
            (world.millis() - begin) / 1_000, acked, received, envelopes, faults);
      }
    } catch (InterruptedException ended) {
      // the run is over
    }
  }
}
