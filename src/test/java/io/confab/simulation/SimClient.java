package io.confab.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.client.ConnectionState;
import io.confab.client.RoomPosition;
import io.confab.client.RoomUpdate;
import io.confab.client.SimulatedClient;
import io.confab.client.SimulatedClient.Reading;
import io.confab.message.MessageChange;
import io.confab.message.MessageCommand;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.WriteCommand;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One device of an account: the real rules of a client above a network that fails.
final class SimClient implements SimulatedClient.Driver, SimSocket.End {
  private static final int PAGE = 50;

  private final SimWorld world;
  private final Scheduler scheduler;
  private final Dice dice;
  private final String name;
  private final AccountId account;
  private final Tap tap;
  private final Shown shown;
  private final Set<ClientId> unsettled = new HashSet<>();
  private final QueueReader queue;
  private final SealedSender sealing;
  private String token;
  private SimulatedClient rules;
  private @Nullable SimSocket socket;
  private ConnectionState state = ConnectionState.STOPPED;
  private long tickAt = Long.MAX_VALUE;

  /// Rises when the program is started anew: what belongs to a former run is void.
  private int run;

  private int sessions;
  private int sends;

  SimClient(SimWorld world, String name, AccountId account) {
    this.world = world;
    this.scheduler = world.scheduler();
    this.dice = world.dice();
    this.name = name;
    this.account = account;
    this.tap = new Tap(world, name, account);
    this.shown = new Shown(name, account);
    this.queue = new QueueReader(world, this);
    this.sealing = new SealedSender(world, this);
    this.token = world.signIns().begin(account, device());
    this.rules = new SimulatedClient(world.nodes(), List.of(), dice.split(), this);
  }

  String name() {
    return name;
  }

  AccountId account() {
    return account;
  }

  DeviceId device() {
    return new DeviceId(name);
  }

  Caller caller() {
    return new Caller(account, device());
  }

  QueueReader queue() {
    return queue;
  }

  SealedSender sealing() {
    return sealing;
  }

  /// How often it was started anew.
  int run() {
    return run;
  }

  Shown shown() {
    return shown;
  }

  Tap tap() {
    return tap;
  }

  /// Whether it has nothing left to do.
  boolean isAtRest() {
    return state == ConnectionState.LIVE
        && unsettled.isEmpty()
        && (!world.hasSealedRooms() || (queue.isAtRest() && sealing.isAtRest()));
  }

  ConnectionState state() {
    return state;
  }

  List<RoomPosition> positions() {
    return rules.positions();
  }

  void start() {
    if (world.hasSealedRooms()) {
      register();
    }
    rules.connect(scheduler.millis());
    schedule();
  }

  /// Uploads keys where the server has none of this device.
  void register() {
    if (world.database().queues().registration(caller()) == null) {
      world.database().queues().register(caller(), world.database().epoch());
      queue.registered();
    }
  }

  /// Does something later, unless the program ends before.
  void later(long nanos, Runnable what) {
    int mine = run;
    scheduler.after(
        nanos,
        () -> {
          if (mine == run) {
            what.run();
          }
        });
  }

  /// Writes a frame that the rules know nothing of.
  void write(ObjectNode frame) {
    SimSocket to = socket;
    if (to != null) {
      tap.transmitted(frame);
      to.write(frame.toString());
    }
  }

  void send(RoomId room, int count) {
    for (int i = 0; i < count; i++) {
      ClientId id = new ClientId(name + "-" + ++sends);
      unsettled.add(id);
      rules.send(room, id, "says " + id, scheduler.millis());
    }
    schedule();
  }

  /// Dies with all it has not stored: it keeps its positions, and what it had not settled is
  /// forgotten.
  void restart() {
    run++;
    tickAt = Long.MAX_VALUE;
    drop();
    unsettled.clear();
    List<RoomPosition> positions = rules.positions();
    shown.restarted(positions);
    queue.restarted();
    sealing.restarted();
    rules = new SimulatedClient(world.nodes(), positions, dice.split(), this);
    state = ConnectionState.STOPPED;
    start();
  }

  void cut() {
    SimSocket lost = socket;
    if (lost != null) {
      lost.cut(dice.millis(0, 2_000));
    }
  }

  /// The connection to a dead node is reset at once.
  void nodeDied(SimNode node) {
    SimSocket lost = socket;
    if (lost != null && lost.node() == node) {
      lost.cut(dice.millis(0, 300));
    }
  }

  void slow(long nanosForAFrame) {
    SimSocket slow = socket;
    if (slow != null) {
      slow.slow(nanosForAFrame);
    }
  }

  private void drop() {
    SimSocket dropped = socket;
    socket = null;
    queue.disconnected();
    sealing.disconnected();
    if (dropped != null) {
      dropped.hungUp();
    }
  }

  /// Edits or deletes over HTTP, once.
  void change(RoomId room, Seq seq, @Nullable String body) {
    MessageChange change =
        body == null
            ? new MessageChange.Deletion(room, seq, account)
            : new MessageChange.Edit(
                room, seq, account, new ClientId(name + "-edit-" + ++sends), body);
    tap.changeBegan(room, seq, body);
    ask(new WriteCommand.Change(change))
        .onSuccess(changed -> tap.changed(room, seq, changed.rev(), body));
  }

  /// Asks some node over HTTP; fails when it is dead or dies.
  <R extends BusMessage> Future<R> ask(Command<R> command) {
    Promise<R> promise = Promise.promise();
    int mine = run;
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    node.after(
        dice.millis(0.2, 8),
        () ->
            node.request(command)
                .onComplete(
                    answer ->
                        node.after(
                            0,
                            () ->
                                scheduler.after(
                                    dice.millis(0.1, 8),
                                    () -> {
                                      if (mine == run && !promise.future().isComplete()) {
                                        promise.handle(answer);
                                      }
                                    }))));
    scheduler.after(
        3 * Scheduler.SECOND,
        () -> {
          if (mine == run) {
            promise.tryFail(Refusal.unavailable("no answer"));
          }
        });
    return promise.future();
  }

  private void schedule() {
    OptionalLong deadline = rules.deadline();
    if (deadline.isPresent() && deadline.getAsLong() < tickAt) {
      long at = Math.max(deadline.getAsLong(), scheduler.millis());
      tickAt = at;
      int mine = run;
      scheduler.at(
          at * Scheduler.MILLI,
          () -> {
            if (tickAt == at) {
              tickAt = Long.MAX_VALUE;
            }
            if (mine == run) {
              rules.tick(scheduler.millis());
              schedule();
            }
          });
    }
  }

  @Override
  public void connect(int server) {
    int mine = run;
    SimNode node = world.node(server);
    scheduler.after(
        dice.millis(0.5, 10),
        () -> {
          if (mine != run) {
            return;
          }
          if (node.isDead() || node.isFrozen()) {
            rules.unopened(scheduler.millis());
          } else {
            drop();
            socket = new SimSocket(world, node, this, name + "-" + ++sessions);
            tap.connected(node);
            rules.opened(scheduler.millis());
          }
          schedule();
        });
  }

  @Override
  public void transmit(ObjectNode frame) {
    SimSocket to = socket;
    if (to == null) {
      return;
    }
    if (frame.path("type").asText().equals("hello")) {
      frame.put("token", token);
    }
    tap.transmitted(frame);
    to.write(frame.toString());
  }

  @Override
  public void hangUp() {
    drop();
  }

  @Override
  public void frame(SimSocket from, byte[] json) {
    if (from == socket) {
      JsonNode frame = world.parsed(json);
      tap.received(frame);
      if (!queue.takes(frame) && !sealing.takes(frame)) {
        rules.frame(frame, scheduler.millis());
        if (frame.path("type").asText().equals("welcome") && world.hasSealedRooms()) {
          queue.open();
        }
      }
      schedule();
    }
  }

  @Override
  public void closed(SimSocket from, int code) {
    if (from == socket) {
      socket = null;
      queue.disconnected();
      sealing.disconnected();
      tap.disconnected(code);
      rules.closed(code, scheduler.millis());
      schedule();
    }
  }

  @Override
  public void readHistory(RoomId room, Reading reading) {
    ask(MessageCommand.ReadHistory.newest(account, room, PAGE))
        .onSuccess(page -> historyRead(room, reading, page))
        .onFailure(no -> failed(reading, no));
  }

  private void historyRead(RoomId room, Reading reading, HistoryPage page) {
    rules.historyRead(
        reading,
        page.messages(),
        new RoomPosition(room, page.epoch(), page.seq(), page.rev()),
        scheduler.millis());
    schedule();
  }

  @Override
  public void readEvents(RoomId room, Epoch epoch, Rev after, Reading reading) {
    ask(new MessageCommand.ReadLog(account, room, epoch, after, PAGE, false))
        .onSuccess(page -> eventsRead(room, reading, page))
        .onFailure(no -> failed(reading, no));
  }

  private void eventsRead(RoomId room, Reading reading, LogPage page) {
    rules.eventsRead(
        reading,
        page.recovered(),
        page.frames(),
        new RoomPosition(room, page.epoch(), Seq.ZERO, page.rev()),
        page.hasMore(),
        scheduler.millis());
    schedule();
  }

  private void failed(Reading reading, Throwable no) {
    boolean gone =
        no instanceof Refusal refusal
            && (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.FORBIDDEN);
    rules.readFailed(reading, gone, scheduler.millis());
    schedule();
  }

  @Override
  public void listRooms() {
    throw new IllegalStateException("nobody has so many rooms");
  }

  @Override
  public void state(ConnectionState now, String why) {
    state = now;
    world.trace(() -> name + " is " + now + " " + why);
    if (now == ConnectionState.STOPPED) { // for good, but that somebody signs in again
      int mine = run;
      scheduler.after(
          dice.millis(1, 500),
          () -> {
            if (mine == run) {
              signIn();
              restart();
            }
          });
    }
  }

  /// Whether what it signed in with last is good still.
  boolean isSignedIn() {
    return world.signIns().isCurrent(ModelSignIns.read(token));
  }

  private void signIn() {
    token = world.signIns().begin(account, device());
    tap.signedIn();
  }

  @Override
  public void renewToken() {
    int mine = run;
    scheduler.after(
        dice.millis(1, 100),
        () -> {
          if (mine == run) {
            if (!isSignedIn()) {
              signIn();
            }
            rules.tokenRenewed(scheduler.millis());
            schedule();
          }
        });
  }

  @Override
  public void removed(RoomId room) {
    shown.removed(room);
  }

  @Override
  public void update(RoomUpdate update) {
    shown.update(update);
  }

  @Override
  public void settled(ClientId clientId, boolean stored) {
    unsettled.remove(clientId);
  }
}
