package io.confab.simulation;

import static io.confab.simulation.Scheduler.MILLI;
import static io.confab.simulation.Scheduler.SECOND;

import io.confab.ledger.Entry;
import io.confab.protocol.AccountId;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Message;
import io.confab.protocol.RoomId;
import java.util.List;

/// What people do and what breaks in one history, decided by its dice; afterwards all heals.
final class Script {
  /// How long a session may outlive its sign-in.
  private static final long PROMISED = 2 * SECOND;

  /// By then all nodes hear everything again.
  private static final long HEALED = 5 * SECOND;

  private static final long AWAY = 14 * SECOND;
  private static final String SLEEP = "sleep";

  private final SimWorld world;
  private final Scheduler scheduler;
  private final Dice dice;
  /// Nodes compare after their start whatever they hear: later nothing but digests may help.
  private static final long AFTER_START = 6 * SECOND;

  private final long end;

  /// Whether only clients and their connections fail: then nothing may be missing at any time.
  private final boolean calm;

  private boolean wentBack;
  private long quietAfter = 6 * SECOND;

  Script(SimWorld world) {
    this.world = world;
    this.scheduler = world.scheduler();
    this.dice = world.dice();
    this.calm = world.isCalm();
    this.end = dice.between(2_000, 7_000) * MILLI + (world.hasSmallDigests() ? AFTER_START : 0);
  }

  /// When everything is whole again.
  long end() {
    return end;
  }

  /// How long after its end a history goes on at least.
  long quietAfter() {
    return quietAfter;
  }

  void plan() {
    for (int i = dice.between(8, 30); i > 0; i--) {
      sometime(this::somebodySends);
    }
    for (int i = dice.between(0, 8); i > 0; i--) {
      sometime(this::somebodyChanges);
    }
    for (int i = dice.between(0, 5); i > 0; i--) {
      sometime(this::somebodyComesOrGoes);
    }
    for (int i = dice.between(0, 3); i > 0; i--) {
      sometime(this::somebodyComesOrGoesWhileConnecting);
    }
    for (int i = dice.between(0, 8); i > 0; i--) {
      sometime(this::somethingBreaks);
    }
    for (int i = dice.between(0, 2); i > 0; i--) {
      sometime(this::somebodyIsSignedOut);
    }
    if (!calm && world.hasDigests() && dice.chance(0.3)) {
      sometime(this::aCopyIsTaken);
    }
    if (!calm && world.hasDigests() && world.nodes() > 1 && dice.chance(0.3)) {
      sometime(this::aNodeIsLeftAlone);
    }
    if (!calm && world.hasDigests()) {
      rarely();
    }
    if (world.hasSealedRooms()) {
      new SealedScript(world, this::within).plan(end);
    }
    scheduler.at(end, this::heal);
  }

  /// By dice of their own, so that who never meets these faults has the same history as without.
  private void rarely() {
    Dice others = new Dice(~world.seed());
    if (others.chance(0.2)) {
      at(others, this::redisGoesWhileReadsFail);
    }
    if (world.nodes() > 1 && others.chance(0.1)) {
      at(others, this::allOthersDie);
    }
    if (others.chance(0.05)) {
      at(others, this::aNodeSleeps);
    }
    if (others.chance(0.1)) {
      at(others, this::aRoomIsLocked);
    }
    if (others.chance(0.1)) {
      at(others, this::connectionsFallSilent);
    }
    if (others.chance(0.1)) {
      at(others, this::theDiskIsFull);
    }
    if (world.hasSmallDigests()) {
      scheduler.at(end - 600 * MILLI, this::allRoomsMoveUnheard);
    }
  }

  private void sometime(Runnable what) {
    at(dice, what);
  }

  private void at(Dice chance, Runnable what) {
    scheduler.at(chance.millis(200, end / (double) MILLI), what);
  }

  private SimClient anyone() {
    return dice.one(world.clients());
  }

  private RoomId anyRoom() {
    return dice.one(world.database().rooms()).id;
  }

  private void somebodySends() {
    anyone().send(anyRoom(), dice.chance(0.1) ? dice.between(20, 90) : dice.between(1, 4));
  }

  private void somebodyChanges() {
    SimClient somebody = anyone();
    RoomId room = anyRoom();
    List<Message> own =
        world.database().room(room).messages().stream()
            .filter(message -> message.senderId().equals(somebody.account()))
            .toList();
    if (!own.isEmpty()) {
      Message message = dice.one(own);
      String body =
          dice.chance(0.3) ? null : "edited " + message.seq() + " at " + scheduler.nanos();
      somebody.change(room, message.seq(), body);
    }
  }

  private void somebodyComesOrGoes() {
    changes(anyRoom(), anyone().account());
  }

  /// What happens between two steps of a greeting is missed most easily.
  private void somebodyComesOrGoesWhileConnecting() {
    SimClient somebody = anyone();
    somebody.restart();
    scheduler.after(dice.millis(1, 30), () -> comes(somebody.account()));
  }

  /// Into a room that the account is not in, if there is one.
  private void comes(AccountId account) {
    world.database().rooms().stream()
        .filter(room -> !room.isMember(account))
        .findFirst()
        .ifPresentOrElse(room -> changes(room.id, account), () -> changes(anyRoom(), account));
  }

  private void changes(RoomId room, AccountId account) {
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    boolean leaves = world.database().room(room).isMember(account);
    node.after(0, () -> node.change(room, account, leaves ? LeaveReason.REMOVED : null));
  }

  /// By the device itself, or by somebody who ends all sign-ins of an account. While more than
  /// devices fails, nobody knows when it will be heard.
  private void somebodyIsSignedOut() {
    SimClient somebody = anyone();
    boolean all = dice.chance(0.3);
    List<SimClient> clients =
        all
            ? world.clients().stream()
                .filter(client -> client.account().equals(somebody.account()))
                .toList()
            : List.of(somebody);
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    node.after(0, () -> node.revoke(clients, all, within()));
  }

  /// For how long a session may outlive its sign-in from now on.
  private long within() {
    return PROMISED + (calm ? 0 : Math.max(0, end + HEALED - scheduler.nanos()));
  }

  private void somethingBreaks() {
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    FaultRates faults = world.faults();
    switch (calm ? dice.between(9, 11) : dice.between(0, 11)) {
      case 0 -> world.died(node);
      case 1 -> node.dieAfter(dice.between(1, 60));
      case 2 -> node.freeze(dice.millis(100, 2_500));
      case 3 -> redisGoes();
      case 4 -> world.exchange().unreliable(dice.chance(0.5) ? 0.1 : 0.6, 0.2, 300);
      case 5 -> databaseGoes();
      case 6 -> faults.lost(dice.chance(0.5) ? 0.05 : 0.4);
      case 7 -> faults.busy(dice.chance(0.5) ? 0.05 : 0.4);
      case 8 -> {
        faults.slow(0.2);
        faults.reads(0.3);
      }
      case 9 -> anyone().cut();
      case 10 -> anyone().slow(dice.millis(5, 150));
      default -> anyone().restart();
    }
  }

  /// Whoever changed meanwhile is found only by comparing, and that fails more often than not until
  /// some time after it is back.
  private void redisGoesWhileReadsFail() {
    world.trace(() -> "redis goes away, and reads fail");
    world.exchange().down();
    world.faults().reads(0.6);
    AccountId account = anyone().account();
    for (int i = 0; i < 3; i++) { // it goes before, where it is in all rooms
      scheduler.after(dice.millis(0, 1_000), () -> comes(account));
    }
    scheduler.after(SECOND, world.exchange()::comeBack);
    scheduler.after(3 * SECOND, () -> world.faults().reads(0));
  }

  /// For longer than it takes to judge that one is cut off. The last one reaches the database.
  private void allOthersDie() {
    SimNode last = world.node(dice.between(0, world.nodes() - 1));
    world.trace(() -> "all others than " + last + " die");
    world.others(last).forEach(node -> world.died(node, AWAY));
    quietAfter = Math.max(quietAfter, AWAY);
  }

  /// For longer than that too: nobody was silent, it did not listen. What it has to do within a
  /// time it has to do when it is awake, and that may be long after all has healed.
  private void aNodeSleeps() {
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    world.record(new Entry.FaultBegan(scheduler.nanos(), SLEEP, node.toString()));
    node.freeze(AWAY);
    scheduler.after(AWAY, () -> awake(node));
    // It may revoke something as soon as it is awake.
    quietAfter = Math.max(quietAfter, AWAY + PROMISED);
  }

  private void awake(SimNode node) {
    world.record(new Entry.FaultSeen(scheduler.nanos(), SLEEP, node.toString(), "it did nothing"));
    world.record(new Entry.FaultEnded(scheduler.nanos(), SLEEP, node.toString()));
  }

  /// Somebody has it locked while one member goes on talking there.
  private void aRoomIsLocked() {
    RoomId room = anyRoom();
    SimClient somebody = anyone();
    world.trace(() -> "somebody locks room " + room);
    world.database().locked.add(room);
    for (int i = 0; i < 20; i++) {
      scheduler.after(dice.millis(0, 2_000), () -> say(somebody, room, dice.between(1, 3)));
    }
    scheduler.after(dice.millis(100, 1_500), () -> world.database().locked.remove(room));
  }

  /// All that nodes have to the database and to Redis.
  private void connectionsFallSilent() {
    world.trace(() -> "connections fall silent");
    for (int i = 0; i < world.nodes(); i++) {
      double left = (end - scheduler.nanos()) / (double) MILLI;
      world.node(i).fallSilent(dice.millis(0, Math.min(left, 4_000)));
    }
  }

  /// Of the database.
  private void theDiskIsFull() {
    world.trace(() -> "the disk is full");
    world.faults().full(true);
    scheduler.after(dice.millis(100, 2_000), () -> world.faults().full(false));
  }

  /// For good: what it stores reaches the others all the same.
  private void aNodeIsLeftAlone() {
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    world.trace(() -> node + " reaches nothing but the database");
    node.leaveAlone();
  }

  /// A standby that lacks the last commits takes over a moment later, or a backup is restored.
  /// Before all heals: who speaks then is the first to tell the nodes of it.
  private void aCopyIsTaken() {
    ModelDatabase.Copy copy = world.database().copy();
    long left = end - scheduler.nanos();
    long after = dice.chance(0.7) ? dice.millis(0.1, 60) : dice.millis(0, left / (double) MILLI);
    scheduler.after(
        Math.min(after, left - 1),
        () -> {
          world.goBackTo(copy);
          wentBack = true;
          scheduler.after(dice.millis(1, 2_000), world::databaseUp);
        });
  }

  private void say(SimClient somebody, RoomId room, int count) {
    if (world.database().room(room).sealed) {
      somebody.sealing().send(room, count);
    } else {
      somebody.send(room, count);
    }
  }

  private void redisGoes() {
    world.trace(() -> "redis goes away");
    world.exchange().down();
    if (dice.chance(0.5)) {
      world.window().empty();
    }
    scheduler.after(dice.millis(100, 4_000), world.exchange()::comeBack);
  }

  private void databaseGoes() {
    world.databaseDown();
    scheduler.after(dice.millis(50, 2_000), world::databaseUp);
  }

  /// That is more than a digest holds, and nothing else tells of it.
  private void allRoomsMoveUnheard() {
    world.trace(() -> "all rooms move unheard");
    world.exchange().loseAnnouncements(true);
    SimClient somebody = anyone();
    world.database().rooms().forEach(room -> say(somebody, room.id, 1));
    scheduler.after(400 * MILLI, () -> world.exchange().loseAnnouncements(false));
  }

  private void heal() {
    world.trace(() -> "all heals");
    world.faults().none();
    world.database().locked.clear();
    world.exchange().unreliable(0, 0, 5);
    world.exchange().comeBack();
    world.databaseUp();
    world.clients().forEach(client -> client.slow(0));
    world.clients().forEach(client -> client.queue().awake());
    if (wentBack) { // a node learns it from the next connection of a writer
      world
          .clients()
          .forEach(client -> scheduler.after(dice.millis(0, 500), () -> client.send(anyRoom(), 1)));
    }
    if (calm || world.hasDigests()) {
      return;
    }
    // What was lost without a trace is not missed before the next event or the next connection to
    // pub/sub.
    scheduler.after(4 * SECOND, world.exchange()::down);
    scheduler.after(4 * SECOND + 300 * MILLI, world.exchange()::comeBack);
  }
}
