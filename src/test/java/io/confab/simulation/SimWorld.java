package io.confab.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.client.SimulatedClient;
import io.confab.config.Config;
import io.confab.feed.DigestLog;
import io.confab.ledger.Entry;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.RoomId;
import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Nodes, clients and what is between and below them, in the time of one history.
final class SimWorld {
  /// By dice of their own, so that the other histories stay as they are.
  private static final long SMALL_DIGESTS = 0x5bd1e995;

  private static final long SEALED = 0x2545f491;

  private static final long FIRST_SEALED = 11;
  private static final Duration LASTS_SHORT = Duration.ofSeconds(2);

  /// Milliseconds that it takes at most to notice that a queue has waited for so long.
  private static final long WOKEN_WITHIN = 1_500;

  private static final Meters METERS = new Meters();

  private final Scheduler scheduler = new Scheduler();
  private final Dice dice;
  private final FaultRates faults = new FaultRates();
  private final Config config;
  private final QueueJournal journal;
  private final ModelDatabase database;
  private final Exchange exchange;
  private final ModelSignIns signIns = new ModelSignIns();
  private final ModelWindow window = new ModelWindow(this);
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> cutOff = new ArrayList<>();
  private final IdentityHashMap<byte[], JsonNode> parsed = new IdentityHashMap<>();
  private final @Nullable Consumer<String> trace;
  private final boolean calm;
  private final boolean digests;
  private final long seed;
  private long fingerprint;

  SimWorld(long seed, boolean digests, @Nullable Consumer<String> trace) {
    this.seed = seed;
    this.digests = digests;
    this.dice = new Dice(seed);
    this.trace = trace;
    this.calm = dice.chance(0.3);
    this.config = hasSealedRooms() ? sealed(config(dice), sealedDice()) : config(dice);
    this.journal =
        new QueueJournal(calm ? config.queues().wakeAfter().toMillis() + WOKEN_WITHIN : 0);
    this.database = new ModelDatabase(scheduler::millis, config.queues(), journal);
    this.exchange = new Exchange(scheduler, dice);
    build();
  }

  private static Config config(Dice dice) {
    Config usual = TestConfig.node(Path.of("unused"));
    usual = TestConfig.with(usual, "limits.resume_events_per_room", dice.chance(0.3) ? 10 : 1_000);
    return TestConfig.with(
        usual, "limits.resume_events_per_session", dice.chance(0.2) ? 20 : 5_000);
  }

  /// Few enough, and short enough, that histories meet the bounds.
  private static Config sealed(Config usual, Dice dice) {
    Config sealed = TestConfig.with(usual, "queues.wake_after", Duration.ofSeconds(1));
    sealed = TestConfig.with(sealed, "queues.depth", dice.chance(0.25) ? 6 : 10_000);
    sealed = TestConfig.with(sealed, "queues.unacknowledged", dice.chance(0.3) ? 4 : 256);
    return TestConfig.with(
        sealed, "queues.retention", dice.chance(0.25) ? LASTS_SHORT : Duration.ofDays(30));
  }

  private void build() {
    int accounts = dice.between(2, 4);
    int roomCount = dice.between(1, 3);
    for (int r = 1; r <= roomCount; r++) {
      HistoryRule rule = dice.chance(0.7) ? HistoryRule.ALL : HistoryRule.SINCE_JOIN;
      ModelRoom room = new ModelRoom(new RoomId(r), rule, false, database.epoch());
      for (int a = 1; a <= accounts; a++) {
        if (a <= 2 || dice.chance(0.7)) {
          room.join(new AccountId(a), 0);
        }
      }
      database.add(room);
    }
    if (hasSealedRooms()) {
      seal(accounts, sealedDice());
    }
    int count = dice.between(1, 3);
    for (int n = 0; n < count; n++) {
      nodes.add(new SimNode(this, n));
    }
    for (int a = 1; a <= accounts; a++) {
      for (int d = 0; d < dice.between(1, 2); d++) {
        clients.add(new SimClient(this, "c" + a + (char) ('a' + d), new AccountId(a)));
      }
    }
    for (SimClient client : clients) {
      scheduler.after(dice.millis(0, 500), client::start);
    }
  }

  private void seal(int accounts, Dice others) {
    for (int r = 0; r < others.between(1, 2); r++) {
      ModelRoom room =
          new ModelRoom(new RoomId(FIRST_SEALED + r), HistoryRule.ALL, true, database.epoch());
      for (int a = 1; a <= accounts; a++) {
        if (a <= 2 || others.chance(0.7)) {
          room.join(new AccountId(a), 0);
        }
      }
      database.add(room);
    }
  }

  /// Whether there are sealed rooms. By dice of its own, so that the other histories stay as they
  /// are.
  boolean hasSealedRooms() {
    return digests && sealedDice().chance(0.4);
  }

  Dice sealedDice() {
    return new Dice(seed ^ SEALED);
  }

  List<ModelRoom> sealedRooms() {
    return database.rooms().stream().filter(room -> room.sealed).toList();
  }

  QueueJournal journal() {
    return journal;
  }

  /// Whether nothing but clients and their connections fails.
  boolean isCalm() {
    return calm;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Dice dice() {
    return dice;
  }

  FaultRates faults() {
    return faults;
  }

  Config config() {
    return config;
  }

  Meters meters() {
    return METERS;
  }

  ModelDatabase database() {
    return database;
  }

  ModelSignIns signIns() {
    return signIns;
  }

  Exchange exchange() {
    return exchange;
  }

  ModelWindow window() {
    return window;
  }

  long seed() {
    return seed;
  }

  /// Whether a digest holds one room and one signal, so that what is above needs another one.
  boolean hasSmallDigests() {
    return new Dice(seed ^ SMALL_DIGESTS).chance(0.25);
  }

  DigestLog digestLog() {
    return hasSmallDigests() ? new DigestLog(1, 1) : new DigestLog();
  }

  boolean hasDigests() {
    return digests;
  }

  /// Those who live beside this one.
  List<SimNode> others(SimNode node) {
    return nodes.stream().filter(other -> other != node && !other.isDead()).toList();
  }

  int nodes() {
    return nodes.size();
  }

  SimNode node(int number) {
    return nodes.get(number);
  }

  List<SimClient> clients() {
    return clients;
  }

  List<Entry> entries() {
    return entries;
  }

  /// Equal for histories in which the same happened at the same times.
  long fingerprint() {
    return fingerprint * 31 + scheduler.steps();
  }

  /// A node is dead; another one takes its place after a while.
  void died(SimNode node) {
    died(node, dice.millis(100, 2_500));
  }

  void died(SimNode node, long away) {
    int number = nodes.indexOf(node);
    if (number < 0 || node.isDead()) {
      return;
    }
    trace(() -> "node " + number + " dies");
    node.die();
    for (SimClient client : clients) {
      client.nodeDied(node);
    }
    scheduler.after(
        away,
        () -> {
          nodes.set(number, new SimNode(this, number));
          trace(() -> "node " + number + " starts");
        });
  }

  /// A node takes itself for cut off, although the database is never away for so long.
  void cutOff(SimNode node) {
    trace(() -> node + " takes itself for cut off");
    cutOff.add(node.toString());
  }

  List<String> cutOff() {
    return cutOff;
  }

  void databaseDown() {
    trace(() -> "the database goes away");
    database.up = false;
    nodes.forEach(SimNode::cutWriters);
  }

  /// A copy takes the place of the database: what it lacks is lost, and what is under way in the
  /// former one is of no matter any more.
  void goBackTo(ModelDatabase.Copy copy) {
    trace(() -> "the database goes back to a copy");
    databaseDown();
    for (ModelRoom before : database.goBackTo(copy)) {
      before.lostIn(database.room(before.id), scheduler.nanos()).forEach(this::record);
    }
  }

  void databaseUp() {
    trace(() -> "the database is back");
    database.up = true;
  }

  void record(Entry entry) {
    entries.add(entry);
    fingerprint = fingerprint * 31 + entry.hashCode();
    trace(entry::toString);
  }

  void trace(Supplier<String> line) {
    if (trace != null) {
      trace.accept(String.format("%9.3f %s", scheduler.nanos() / 1e6, line.get()));
    }
  }

  /// The same bytes are read once, as they are written once.
  JsonNode parsed(byte[] json) {
    return parsed.computeIfAbsent(json, SimulatedClient::tree);
  }
}
