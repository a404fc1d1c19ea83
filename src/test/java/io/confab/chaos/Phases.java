package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.ledger.Entry;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;

/// One fault at a time, each several times, with what it took until all was well again, beside what
/// `docs/reliability.md` promises. Belongs to one thread.
final class Phases {
  private static final Duration SETTLE = Duration.ofSeconds(6);

  /// Until the code of the nodes and of the driver, which all begin at once, is compiled.
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final long LATE = Duration.ofMillis(500).toNanos();
  private static final int OK = 200;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final int ENOUGH_FAILURES = 3;

  private static final Duration CLIENTS_WHOLE = Duration.ofSeconds(3);
  private static final Duration FROZEN = Duration.ofSeconds(8);
  private static final Duration OTHERS_GAP = Duration.ofSeconds(1);
  private static final Duration LOCKED_GAP = Duration.ofSeconds(2);
  private static final Duration REDIS_BACK = Duration.ofSeconds(2);
  private static final Duration POSTGRES_BACK = Duration.ofSeconds(5);
  private static final Duration SILENCE_OVER = Duration.ofSeconds(5);
  private static final Duration DELIVERED_WITHOUT_REDIS = Duration.ofSeconds(3);
  private static final Duration REPAIRED = Duration.ofSeconds(2);

  private final Stage stage;
  private final RunContext world;
  private final RandomGenerator random;
  private final PhaseTable table = new PhaseTable();

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

  PhaseTable run(Extent extent) throws InterruptedException {
    table.row("in the first seconds, message → others", peace().deliveries());
    Thread.sleep(WARM_UP);
    table.row("in peace, message → others", peace().deliveries());
    nodeKilled(extent.times());
    nodeFrozen(extent.times());
    redisBack(extent.times());
    postgresBack(extent.times());
    postgresSilent(extent.times());
    redisSilent(extent.times());
    redisAway(extent.redisAway());
    lastMessageDropped(extent.drops());
    return table;
  }

  private Recovery peace() throws InterruptedException {
    return since(world.history().size(), Duration.ZERO, _ -> true);
  }

  /// What happens from a place in the history on: for a while, and until it is well, as long as the
  /// guard of the promise lets it take.
  private Recovery since(int from, Duration promised, Predicate<Recovery> well)
      throws InterruptedException {
    long end = world.millis() + promised.multipliedBy(PhaseTable.GUARD).toMillis();
    Thread.sleep(SETTLE);
    Recovery recovery = new Recovery(world.history().since(from));
    while (!well.test(recovery) && world.millis() < end) {
      Thread.sleep(100);
      recovery = new Recovery(world.history().since(from));
    }
    return recovery;
  }

  private void nodeKilled(int times) throws InterruptedException {
    Times whole = new Times();
    long lost = 0;
    for (int i = 0; i < times; i++) {
      Machine victim = await().until(this::anyUsed, Optional::isPresent).orElseThrow();
      String name = victim.name();
      int from = world.history().size();
      long since = world.nanos().getAsLong();
      victim.kill();
      Recovery recovery =
          since(from, CLIENTS_WHOLE, r -> r.whole(name, since).size() == r.lost(name, since));
      whole.addAll(recovery.whole(name, since));
      lost += recovery.lost(name, since);
      victim.start();
    }
    table.row("node killed → its clients whole", whole, CLIENTS_WHOLE);
    table.count("… of those that lost their connection", whole.size(), lost);
  }

  /// Each time in the midst of somebody's joining: a node that stands still keeps no room locked.
  private void nodeFrozen(int times) throws InterruptedException {
    Times changed = new Times();
    Times others = new Times();
    long acknowledged = 0;
    List<String> rooms = stage.fleet().rooms();
    for (int i = 0; i < times; i++) {
      Machine victim = await().until(this::anyUsed, Optional::isPresent).orElseThrow();
      String room = rooms.get(i % rooms.size());
      Person joins = ApiClient.person(victim.port(), "frozen" + i, "F" + i);
      int from = world.history().size();
      long locked = RoomId.parse(room).value();
      new FrozenInAChange(stage.servers(), victim)
          .run(
              gate -> gate.lock(locked),
              () -> Thread.ofVirtual().start(() -> join(joins, room, victim)));
      long since = world.nanos().getAsLong();
      Thread.sleep(FROZEN);
      long until = world.nanos().getAsLong();
      Recovery recovery = new Recovery(world.history().since(from));
      recovery
          .longestGaps(rooms, since, until)
          .forEach((each, gap) -> (each.equals(room) ? changed : others).add(gap));
      acknowledged += recovery.ackedRooms(since, until);
      victim.thaw();
      Thread.sleep(SETTLE);
    }
    table.row("node frozen in a change → longest gap of other rooms' acks", others, OTHERS_GAP);
    table.row("… of the acks of the room that it changed", changed, LOCKED_GAP);
    table.count("… rooms with an ack meanwhile", acknowledged, (long) times * rooms.size());
  }

  private static void join(Person who, String room, Machine by) {
    try {
      who.at(by.port()).call("POST", "/v1/rooms/" + room + "/join", null);
    } catch (UncheckedIOException frozen) {
      // what becomes of it does not matter
    }
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
      Recovery recovery =
          since(
              from,
              REDIS_BACK,
              r ->
                  world.nanos().getAsLong() - since - r.lastLate(since, LATE)
                      > REDIS_BACK.toNanos());
      whole.add(recovery.lastLate(since, LATE));
    }
    table.row("Redis back, empty → last message later than 500 ms", whole, REDIS_BACK);
  }

  private void postgresBack(int times) throws InterruptedException {
    Times first = new Times();
    int talking = stage.fleet().devices().size();
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      stage.servers().postgres().kill();
      Thread.sleep(500);
      stage.servers().postgres().start();
      long since = world.nanos().getAsLong();
      first.addAll(
          since(from, POSTGRES_BACK, r -> r.firstAcks(since).size() == talking).firstAcks(since));
    }
    table.row("PostgreSQL back → each client acknowledged again", first, POSTGRES_BACK);
    table.count("… of those that talk, each time", first.size(), (long) times * talking);
  }

  /// All connections to it become silent at once, and new ones work.
  private void postgresSilent(int times) throws InterruptedException {
    Times answered = new Times();
    Times whole = new Times();
    int talking = stage.fleet().devices().size();
    long acknowledged = 0;
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      long since = world.nanos().getAsLong();
      world.machines().forEach(machine -> machine.postgres().silence());
      for (Machine machine : world.machines()) {
        await().pollInterval(BETWEEN_LOOKS).until(() -> answers(machine));
        answered.add(world.nanos().getAsLong() - since);
      }
      long again = world.nanos().getAsLong();
      Recovery recovery = since(from, SILENCE_OVER, r -> r.firstAcks(again).size() == talking);
      whole.add(recovery.lastLateAck(since, LATE));
      acknowledged += recovery.firstAcks(again).size();
      world.machines().forEach(Machine::heal);
    }
    table.row(
        "PostgreSQL silent → each node answers over HTTP and is ready", answered, SILENCE_OVER);
    table.row("… last send acknowledged later than 500 ms", whole, SILENCE_OVER);
    table.count("… clients acknowledged again", acknowledged, (long) times * talking);
  }

  private boolean answers(Machine machine) {
    Person somebody = stage.fleet().owner(stage.fleet().rooms().getFirst());
    try {
      return machine.process().failing().isEmpty()
          && somebody.at(machine.port()).call("GET", "/v1/rooms", null).status() == OK;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private void redisSilent(int times) throws InterruptedException {
    Times whole = new Times();
    long refused = 0;
    for (int i = 0; i < times; i++) {
      int from = world.history().size();
      long since = world.nanos().getAsLong();
      world.machines().forEach(machine -> machine.redis().silence());
      Recovery recovery =
          since(
              from,
              SILENCE_OVER,
              r ->
                  world.nanos().getAsLong() - since - r.lastLate(since, LATE)
                      > SILENCE_OVER.toNanos());
      whole.add(recovery.lastLate(since, LATE));
      refused += recovery.refusals();
      world.machines().forEach(Machine::heal);
    }
    table.row("Redis silent → last message later than 500 ms", whole, SILENCE_OVER);
    table.count("… refused meanwhile", refused, 0);
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
    table.row("PostgreSQL's disk has room again → each client acknowledged again", first);
    return table.text() + "\n\n" + refused + " sends were refused or unknown while it was full";
  }

  private void redisAway(Duration length) throws InterruptedException {
    Times before = peace().acks();
    table.row("before Redis is away, send → ack", before);
    int from = world.history().size();
    stage.servers().redis().kill();
    Thread.sleep(length);
    Recovery away = new Recovery(world.history().since(from));
    String name = "Redis away " + length.toSeconds() + " s, ";
    table.row(name + "send → ack", away.acks(), before.p99());
    table.row(name + "message → others", away.deliveries(), DELIVERED_WITHOUT_REDIS);
    table.count("… refused meanwhile", away.refusals(), 0);
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
        await()
            .atMost(REPAIRED.multipliedBy(PhaseTable.GUARD))
            .until(() -> stage.fleet().have(revs));
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
    table.row("last message dropped by pub/sub → everybody has it", repaired, REPAIRED);
    table.count("… not repaired", failed, 0);
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
