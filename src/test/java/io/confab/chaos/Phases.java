package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.ledger.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;

/// One fault at a time, each several times, with what it took until all was well again. Belongs to
/// one thread.
final class Phases {
  private static final Duration SETTLE = Duration.ofSeconds(6);
  private static final Duration REPAIRED_WITHIN = Duration.ofSeconds(10);
  private static final long LATE = Duration.ofMillis(500).toNanos();
  private static final int ENOUGH_FAILURES = 3;

  private final Stage stage;
  private final RunContext world;
  private final RandomGenerator random;
  private final List<String> rows = new ArrayList<>();

  /// How often, and how long.
  ///
  /// @param times each fault is repeated
  /// @param drops last messages that are dropped
  record Extent(int times, Duration redisAway, int drops) {}

  Phases(Stage stage, long seed) {
    this.stage = stage;
    this.world = stage.world();
    this.random = new SplittableRandom(seed);
  }

  /// A table in Markdown.
  String run(Extent extent) throws InterruptedException {
    row("in peace, message → others", peace().deliveries());
    nodeKilled(extent.times());
    redisBack(extent.times());
    postgresBack(extent.times());
    redisAway(extent.redisAway());
    lastMessageDropped(extent.drops());
    return "| phase | n | p50 ms | p99 ms | max ms |\n|---|---|---|---|---|\n"
        + String.join("\n", rows);
  }

  private void row(String name, Times times) {
    String row = "| " + name + " | " + times.cells() + " |";
    rows.add(row);
    System.out.println("chaos: " + row);
  }

  private Recovery peace() throws InterruptedException {
    int from = world.history().size();
    Thread.sleep(SETTLE);
    return new Recovery(world.history().since(from));
  }

  private void nodeKilled(int times) throws InterruptedException {
    Times whole = new Times();
    for (int i = 0; i < times; i++) {
      Machine victim = await().until(this::anyUsed, Optional::isPresent).orElseThrow();
      int from = world.history().size();
      long since = world.nanos().getAsLong();
      victim.kill();
      Thread.sleep(SETTLE);
      whole.addAll(new Recovery(world.history().since(from)).whole(victim.name(), since));
      victim.start();
    }
    row("node killed → its clients whole", whole);
  }

  private Optional<Machine> anyUsed() {
    List<Machine> used = world.machines().stream().filter(stage.fleet()::uses).toList();
    return used.isEmpty() ? Optional.empty() : Optional.of(used.get(random.nextInt(used.size())));
  }

  private void redisBack(int times) throws InterruptedException {
    Times whole = new Times();
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      stage.servers().redis().kill();
      Thread.sleep(2_000);
      stage.servers().redis().startAgain();
      long since = world.nanos().getAsLong();
      Thread.sleep(SETTLE);
      whole.add(new Recovery(world.history().since(from)).lastLate(since, LATE));
    }
    row("Redis back, empty → last message later than 500 ms", whole);
  }

  private void postgresBack(int times) throws InterruptedException {
    Times first = new Times();
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      stage.servers().postgres().kill();
      Thread.sleep(500);
      stage.servers().postgres().start();
      long since = world.nanos().getAsLong();
      Thread.sleep(SETTLE.multipliedBy(2));
      first.addAll(new Recovery(world.history().since(from)).firstAcks(since));
    }
    row("PostgreSQL back → each client acknowledged again", first);
  }

  /// @param disk PostgreSQL's
  String diskFull(SmallDisk disk, int times) throws InterruptedException {
    Times first = new Times();
    long refused = 0;
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      disk.fill();
      Thread.sleep(SETTLE);
      disk.free();
      long since = world.nanos().getAsLong();
      if (stage.servers().postgresProcesses().isEmpty()) {
        stage.servers().postgres().start();
      }
      Thread.sleep(SETTLE.multipliedBy(2));
      Recovery recovery = new Recovery(world.history().since(from));
      first.addAll(recovery.firstAcks(since));
      refused += recovery.unanswered();
    }
    row("PostgreSQL's disk has room again → each client acknowledged again", first);
    rows.add("| sends refused or unknown while it was full | " + refused + " | | | |");
    return String.join("\n", rows);
  }

  private void redisAway(Duration length) throws InterruptedException {
    Recovery before = peace();
    row("before Redis is away, send → ack", before.acks());
    int from = world.history().size();
    stage.servers().redis().kill();
    Thread.sleep(length);
    Recovery away = new Recovery(world.history().since(from));
    row("Redis away " + length.toSeconds() + " s, send → ack", away.acks());
    row("Redis away " + length.toSeconds() + " s, message → others", away.deliveries());
    rows.add("| refused meanwhile | " + away.refusals() + " | | | |");
    stage.servers().redis().startAgain();
    Thread.sleep(SETTLE);
  }

  /// In silence: one message in each room, of whose publications nobody hears one.
  private void lastMessageDropped(int drops) throws InterruptedException {
    Map<String, Long> revs = stage.calm();
    Times repaired = new Times();
    int failed = 0;
    while (repaired.size() < drops && failed < ENOUGH_FAILURES) {
      Machine machine = await().until(this::anyUsed, Optional::isPresent).orElseThrow();
      Map<String, Device> speakers = speakers(machine);
      int from = world.history().size();
      long before = machine.publications().dropped();
      machine.publications().arm(1, speakers.size());
      speakers.forEach((room, device) -> say(device, room, revs));
      try {
        await().atMost(REPAIRED_WITHIN).until(() -> stage.fleet().have(revs));
      } catch (ConditionTimeoutException unrepaired) {
        failed++;
        System.out.println("chaos: a last message was not repaired: " + unrepaired.getMessage());
        speakers.forEach((room, device) -> say(device, room, revs)); // exposes the hole
        await().atMost(Duration.ofMinutes(1)).until(() -> stage.fleet().have(revs));
        continue;
      } finally {
        machine.publications().disarm();
      }
      if (machine.publications().dropped() - before == speakers.size()) {
        speakers.keySet().forEach(room -> lastReceipt(room, from).ifPresent(repaired::add));
      }
    }
    row("last message dropped by pub/sub → everybody has it", repaired);
    rows.add(
        String.format(
            Locale.ROOT,
            "| … not repaired within %d s | %d | | | |",
            REPAIRED_WITHIN.toSeconds(),
            failed));
  }

  private static void say(Device device, String room, Map<String, Long> revs) {
    device.ask(d -> d.sendNow(room));
    revs.merge(room, 1L, Long::sum);
  }

  /// For each room somebody in it who is connected to the machine's node.
  private Map<String, Device> speakers(Machine machine) {
    Map<String, Device> speakers = new HashMap<>();
    for (Device device : stage.fleet().devices()) {
      if (device.ask(Device::node).filter(machine.name()::equals).isPresent()) {
        device.ask(Device::rooms).forEach(room -> speakers.put(room, device));
      }
    }
    return speakers;
  }

  /// How long after the acknowledgement the last view of the room had it.
  private Optional<Long> lastReceipt(String room, int from) {
    List<Entry> history = world.history().since(from);
    Optional<Long> acked =
        history.stream()
            .filter(e -> e instanceof Entry.Acked a && a.room().equals(room))
            .map(Entry::t)
            .findFirst();
    Optional<Long> last =
        history.stream()
            .filter(e -> e instanceof Entry.Received r && r.room().equals(room))
            .map(Entry::t)
            .max(Long::compare);
    return acked.flatMap(a -> last.map(l -> Math.max(0, l - a)));
  }
}
