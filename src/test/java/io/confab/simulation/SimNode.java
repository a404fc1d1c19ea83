package io.confab.simulation;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.ChangeCounts;
import io.confab.account.AccountCommand.CountChanges;
import io.confab.account.AccountCommand.Ended;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.ChangeCount;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.bus.Requests;
import io.confab.feed.AccountSignal;
import io.confab.feed.Event;
import io.confab.feed.EventCommand.ReadEvents;
import io.confab.feed.EventCommand.ReadPositions;
import io.confab.feed.EventCommand.ReadVisibility;
import io.confab.feed.FeedHub;
import io.confab.feed.GatheredEvents;
import io.confab.feed.SealedEvent;
import io.confab.feed.SimulatedDigests;
import io.confab.marker.MarkerCommand;
import io.confab.marker.MarkerCommand.Marker;
import io.confab.message.MessageCommand;
import io.confab.message.MessageCommand.Versions;
import io.confab.message.MessageHandler;
import io.confab.message.SimulatedWriter;
import io.confab.message.WriteCommand;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.queue.QueueCommand;
import io.confab.room.RoomCommand.BeginSession;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.room.RoomCommand.SessionBegin;
import io.confab.socket.SimulatedLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One life of a node, from its start to its death: the real hub, loops, sessions, writers and
/// message handler, above a bus whose two ends are this node.
final class SimNode implements Requests {
  private static final int LOOPS = 2;
  private static final int WRITERS = 2;
  private static final double LOST_ON_THE_BUS = 0.2;
  private static final long LOCK_AWAITED = 50 * Scheduler.MILLI;
  private static final Duration GONE = Duration.ofSeconds(6);

  private final SimWorld world;
  private static final byte[] NO_BYTES = {};

  private final int number;
  private final Scheduler scheduler;
  private final Dice dice;
  private final NodeBroker broker;
  private final FeedHub hub;
  private final SimulatedDigests digests;
  private final List<SimulatedLoop> loops = new ArrayList<>();
  private final List<WriterLink> links = new ArrayList<>();
  private final List<SimulatedWriter> writers = new ArrayList<>();
  private final Map<String, Line> lanes = new LinkedHashMap<>();
  private final MessageHandler messages;
  private final @Nullable NodeQueues queues;

  /// What waits for the end of a freeze, in its order.
  private final Deque<Runnable> frozen = new ArrayDeque<>();

  private boolean dead;
  private boolean alone;

  /// How often its connections fell silent.
  private int silences;

  private long frozenUntil;
  private long stepsToDeath = Long.MAX_VALUE;

  SimNode(SimWorld world, int number) {
    this.world = world;
    this.number = number;
    this.scheduler = world.scheduler();
    this.dice = world.dice();
    this.broker = new NodeBroker(world, this);
    this.hub =
        new FeedHub(
            broker,
            new GatheredEvents(world.window().of(this), new SimTiming(this, scheduler)),
            event -> new SealedEvent(event, NO_BYTES),
            world.digestLog(),
            new DatabaseEpoch(world.database().epoch()));
    this.messages =
        new MessageHandler(
            read -> read(() -> world.database().history(read)).onSuccess(page -> saw(page.epoch())),
            read -> read(() -> world.database().log(read)).onSuccess(page -> saw(page.epoch())),
            _ -> Future.succeededFuture(new Versions(List.of(), null)),
            _ -> Future.failedFuture(Refusal.unavailable("nobody types here")));
    this.digests =
        new SimulatedDigests(
            new NodeId("n" + number),
            scheduler.nanos(),
            hub,
            new SimulatedDigests.Ways(this::digestOverRedis, this::digestOverBus, broker::isUp),
            GONE,
            world.meters());
    broker.open(hub);
    if (world.hasDigests()) {
      every(500 * Scheduler.MILLI, () -> digests.publish(scheduler.nanos()));
      every(100 * Scheduler.MILLI, () -> digests.tick(scheduler.nanos()));
      every(Scheduler.SECOND, this::meet);
      every(
          500 * Scheduler.MILLI,
          digests.lookout(scheduler::nanos, () -> read(() -> null), () -> world.cutOff(this)));
    }
    for (int i = 0; i < WRITERS; i++) {
      WriterLink link = new WriterLink(world, this);
      links.add(link);
      writers.add(
          new SimulatedWriter(link, hub, world.config().persistence(), time(), dice.split()));
    }
    for (int i = 0; i < LOOPS; i++) {
      loops.add(loop(number));
    }
    this.queues = world.hasSealedRooms() ? new NodeQueues(world, this, hub) : null;
  }

  private SimulatedWriter.Time time() {
    return new SimulatedWriter.Time() {
      @Override
      public long nanoTime() {
        return scheduler.nanos();
      }

      @Override
      public Future<Void> pause(Duration duration) {
        Promise<Void> over = Promise.promise();
        after(duration.toNanos(), over::complete);
        return over.future();
      }
    };
  }

  private SimulatedLoop loop(int number) {
    Line queue = new Line(scheduler);
    SimulatedLoop loop =
        new SimulatedLoop(
            new SimulatedLoop.Host(
                new NodeId("n" + number), world.config(), this, hub, world.meters()),
            task -> queue.after(dice.millis(0, 0.3), () -> run(task)),
            scheduler::nanos);
    every(10 * Scheduler.MILLI, loop::tick);
    return loop;
  }

  private void meet() {
    if (passes() && world.database().up) {
      digests.meet(world.database().lone, scheduler.nanos());
    }
  }

  /// From now on it reaches the database and its clients only.
  void leaveAlone() {
    alone = true;
    broker.lost();
  }

  boolean isAlone() {
    return alone;
  }

  private void digestOverRedis(byte[] digest) {
    if (passes() && broker.carries()) {
      world.exchange().publishDigest(digest);
    }
  }

  private void digestOverBus(byte[] digest) {
    if (!alone) {
      world.others(this).forEach(other -> other.bring(digest));
    }
  }

  /// The bus may lose anything too.
  private void bring(byte[] digest) {
    if (!alone && !dice.chance(LOST_ON_THE_BUS)) {
      after(dice.millis(0.1, 20), () -> digests.heardOverBus(digest, scheduler.nanos()));
    }
  }

  void heardOverRedis(byte[] digest) {
    digests.heardOverRedis(digest, scheduler.nanos());
  }

  private void every(long nanos, Runnable action) {
    after(
        nanos,
        () -> {
          action.run();
          every(nanos, action);
        });
  }

  /// Runs something on this node later, if it still lives then.
  void after(long nanos, Runnable action) {
    if (!dead) {
      scheduler.after(nanos, () -> run(action));
    }
  }

  private void run(Runnable action) {
    if (dead) {
      return;
    }
    if (scheduler.nanos() < frozenUntil || !frozen.isEmpty()) {
      frozen.add(action);
      if (frozen.size() == 1) {
        scheduler.at(frozenUntil, this::thaw);
      }
      return;
    }
    action.run();
  }

  private void thaw() {
    if (scheduler.nanos() < frozenUntil) {
      scheduler.at(frozenUntil, this::thaw);
      return;
    }
    while (!dead && !frozen.isEmpty()) {
      frozen.element().run();
      frozen.poll();
    }
  }

  @Override
  public String toString() {
    return "n" + number;
  }

  boolean isDead() {
    return dead;
  }

  boolean isFrozen() {
    return scheduler.nanos() < frozenUntil;
  }

  /// Does nothing for a while, as one that is stopped by a signal.
  void freeze(long nanos) {
    frozenUntil = Math.max(frozenUntil, scheduler.nanos() + nanos);
  }

  /// Dies in the middle of what it does: after so many requests or answers from now.
  void dieAfter(long steps) {
    stepsToDeath = steps;
  }

  /// Something that the world can see passes; whoever is to die does so before it.
  boolean passes() {
    if (!dead && --stepsToDeath <= 0) {
      world.died(this);
    }
    return !dead;
  }

  /// The end: what is under way in the database may still be committed.
  void die() {
    dead = true;
    broker.close();
    links.forEach(WriterLink::cut);
  }

  /// A new connection of a writer, or a statement, tells the epoch.
  void saw(Epoch told) {
    hub.epoch().saw(told);
  }

  /// All connections that it has carry nothing any more, and new ones work.
  ///
  /// @param noticed after how many nanoseconds
  void fallSilent(long noticed) {
    silences++;
    links.forEach(link -> link.fallSilent(noticed));
    broker.fallSilent(noticed);
  }

  int silences() {
    return silences;
  }

  void cutWriters() {
    links.forEach(WriterLink::cut);
  }

  SimulatedLoop.Peer open(String session, int loop, SimulatedLoop.Pipe pipe) {
    return loops.get(loop % LOOPS).open(session, pipe);
  }

  /// Changes a membership: commits, then tells.
  void change(RoomId room, AccountId account, @Nullable LeaveReason leaving) {
    if (!passes() || !world.database().up) {
      return;
    }
    if (world.database().locked.contains(room)) {
      after(LOCK_AWAITED, () -> change(room, account, leaving));
      return;
    }
    ModelRoom rows = world.database().room(room);
    Event event =
        leaving == null
            ? rows.join(account, scheduler.millis())
            : rows.leave(account, leaving, scheduler.millis());
    if (event == null) {
      return;
    }
    world.trace(() -> (leaving == null ? "joined " : "left ") + account.value() + " " + event);
    after(
        dice.millis(0.1, 2),
        () -> {
          if (passes()) {
            hub.announce(List.of(event));
            hub.signal(
                List.of(
                    leaving == null
                        ? new AccountSignal.Added(account, room)
                        : new AccountSignal.Removed(account, room, leaving)));
          }
        });
  }

  /// Ends the sign-ins of one account's devices: commits, tells, and answers.
  ///
  /// @param within how long their sessions may last
  void revoke(List<SimClient> clients, boolean all, long within) {
    if (!passes() || !world.database().up) {
      return;
    }
    clients.forEach(client -> world.signIns().end(client.account(), client.device()));
    tellRevoked(clients, all, within);
  }

  /// Removes a device with its keys and its queue: commits, tells, and answers.
  ///
  /// @param within how long its session may last
  void remove(SimClient client, long within) {
    if (!passes() || !world.database().up) {
      return;
    }
    world.signIns().end(client.account(), client.device());
    world.database().queues().end(client.caller());
    tellRevoked(List.of(client), false, within);
  }

  private void tellRevoked(List<SimClient> clients, boolean all, long within) {
    world.trace(() -> "revoked " + clients.stream().map(SimClient::name).toList());
    AccountId account = clients.getFirst().account();
    AccountSignal signal =
        all
            ? new AccountSignal.SignInsEnded(account)
            : new AccountSignal.Revoked(account, clients.getFirst().device());
    after(
        dice.millis(0.1, 2),
        () -> {
          if (passes()) {
            hub.signal(List.of(signal));
            clients.stream()
                .filter(client -> !client.isSignedIn()) // else that is a later sign-in
                .forEach(client -> client.tap().revoked(this, within));
          }
        });
  }

  @Override
  @SuppressWarnings("unchecked") // the answer is that of the command, case by case
  public <R extends BusMessage> Future<R> request(Command<R> command) {
    Promise<R> promise = Promise.promise();
    Line there =
        lanes.computeIfAbsent(
            command.address().name() + Math.floorMod(command.lane().hash(), WRITERS),
            _ -> new Line(scheduler));
    there.after(
        dice.millis(0, 0.2),
        () ->
            run(
                () -> {
                  if (passes()) {
                    ((Future<R>) answer(command)).onComplete(promise);
                  }
                }));
    return promise.future();
  }

  private Future<? extends BusMessage> answer(Command<?> command) {
    ModelDatabase database = world.database();
    return switch (command) {
      case BearerCommand.Read(var token) ->
          Future.succeededFuture(new Bearer.OnDevice(ModelSignIns.read(token.value())));
      case FindEnded(var signIns) ->
          read(
              () ->
                  new Ended(
                      signIns.stream().filter(s -> !world.signIns().isCurrent(s)).toList(),
                      List.of()));
      case CountChanges(var accounts) ->
          read(
              () ->
                  new ChangeCounts(
                      accounts.stream()
                          .collect(Collectors.toMap(Function.identity(), this::changes))));
      case MessageCommand<?> message -> messages.handle(message);
      case WriteCommand.Send(var draft) -> writer(command.lane()).append(draft);
      case WriteCommand.Put(var draft) -> writer(command.lane()).put(draft);
      case QueueCommand<?> queue when queues != null -> queues.handle(queue);
      case WriteCommand.Change(var change) -> writer(command.lane()).change(change);
      case ReadEvents(var room, var after, var limit) ->
          read(() -> database.events(room, after, limit));
      case ReadPositions(var rooms) -> read(() -> database.positions(rooms));
      case ReadVisibility(var account, var rooms) ->
          read(() -> database.visibilities(account, rooms));
      case BeginSession(_, var signIn, _) -> read(() -> begin(signIn));
      case ReadMemberships(var account, _) -> read(() -> database.memberships(account));
      case GetRoom(var account, var room) ->
          read(() -> database.view(account, room)).onSuccess(view -> saw(view.room().epoch()));
      case MarkerCommand.MoveMarker(var caller, var room, _, var seq, _) ->
          // Markers are not simulated: a move is answered, and nobody else is told.
          read(() -> new MarkerCommand.MarkerView(new Marker(room, caller, seq, seq, null)));
      default -> Future.failedFuture(new IllegalStateException("nobody serves " + command));
    };
  }

  private SimulatedWriter writer(Lane lane) {
    return writers.get(Math.floorMod(lane.hash(), WRITERS));
  }

  private SessionBegin begin(Authenticated signIn) {
    if (!world.signIns().isCurrent(signIn)) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, "the sign-in is over");
    }
    AccountId account = signIn.caller().account();
    Memberships memberships = world.database().memberships(account);
    Fence fence = new Fence(memberships.epoch(), 0);
    return new SessionBegin(memberships, changes(account), fence, "device", "simulated");
  }

  private ChangeCount changes(AccountId account) {
    return new ChangeCount(world.database().changes(account) + world.signIns().ended(account));
  }

  /// Asks the database something.
  <R> Future<R> read(Supplier<R> statement) {
    Promise<R> promise = Promise.promise();
    int before = silences;
    long there = dice.chance(world.faults().slow()) ? dice.millis(20, 500) : dice.millis(0.2, 2);
    after(
        there,
        () -> {
          if (!world.database().up || dice.chance(world.faults().reads())) {
            promise.fail(Refusal.unavailable("the database is away or busy"));
            return;
          }
          if (before != silences) {
            after(dice.millis(500, 3_000), () -> promise.fail(Refusal.unavailable("no answer")));
            return;
          }
          Future<R> result = Future.succeededFuture().map(_ -> statement.get());
          long back = dice.chance(0.1) ? dice.millis(2, 30) : dice.millis(0.1, 1.5);
          after(back, () -> result.onComplete(promise));
        });
    return promise.future();
  }
}
