package io.confab.simulation;

import static io.confab.simulation.Scheduler.SECOND;

import io.confab.bus.BusMessage;
import io.confab.feed.FeedHub;
import io.confab.feed.Undelivered;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueCommand;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.SimulatedQueues;
import io.confab.queue.SimulatedQueues.Arrived;
import io.confab.queue.SimulatedQueues.Claimed;
import io.confab.queue.SimulatedQueues.Part;
import io.confab.queue.SimulatedQueues.Place;
import io.confab.queue.SimulatedQueues.Stored;
import io.confab.queue.SimulatedQueues.ToWake;
import io.confab.queue.SimulatedQueues.UpTo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What one node does for queues, over connections of a pool: the real classes above the model. A
/// change may be rolled back, or lose its connection, and then be committed before that, up to
/// three seconds later, or never.
final class NodeQueues implements SimulatedQueues.Tables {
  private static final long LONGEST_LATE = 3_000;
  private static final double HELD = 0.1;
  private static final long FORGOTTEN = 3_000;

  private final SimWorld world;
  private final SimNode node;
  private final Dice dice;
  private final FeedHub hub;
  private final SimulatedQueues queues;

  NodeQueues(SimWorld world, SimNode node, FeedHub hub) {
    this.world = world;
    this.node = node;
    this.dice = world.dice();
    this.hub = hub;
    this.queues =
        new SimulatedQueues(
            this,
            hub,
            world.config().queues().wakeAfter(),
            world.journal()::woke,
            world.scheduler()::nanos);
    hub.onQueued(queues::queued);
    every(world.config().queues().wakeAfter().toNanos() / 4, queues::tick);
    every(SECOND, this::look);
    every(SECOND, this::sweep);
  }

  private void every(long nanos, Runnable action) {
    node.after(
        nanos,
        () -> {
          action.run();
          every(nanos, action);
        });
  }

  Future<? extends BusMessage> handle(QueueCommand<?> command) {
    return queues.handle(command).recover(NodeQueues::refused);
  }

  private static <T> Future<T> refused(Throwable failure) {
    return Future.failedFuture(
        failure instanceof ClosedChannelException
            ? Refusal.unavailable("the outcome is unknown")
            : failure);
  }

  /// Ends what is due, and tells senders what does not arrive.
  private void look() {
    expire().compose(_ -> change(this::takeFailures)).onSuccess(this::tell);
  }

  private List<Undelivered> takeFailures() {
    return world.database().queues().takeFailures().entrySet().stream()
        .map(
            lost ->
                new Undelivered(
                    lost.getKey().room(),
                    new Seq(lost.getKey().seq()),
                    lost.getKey().account(),
                    lost.getValue().sender(),
                    lost.getValue().reason()))
        .toList();
  }

  private void tell(List<Undelivered> lost) {
    if (!lost.isEmpty() && node.passes()) {
      hub.undelivered(lost);
    }
  }

  private void sweep() {
    node.read(() -> world.database().drain().forgotten(FORGOTTEN))
        .onSuccess(queues::forgotten)
        .onFailure(_ -> {});
  }

  /// Changes something in one transaction.
  private <R> Future<R> change(Supplier<R> transaction) {
    Promise<R> promise = Promise.promise();
    Epoch begunIn = world.database().epoch();
    int before = node.silences();
    node.after(
        dice.chance(world.faults().slow()) ? dice.millis(50, 1_500) : dice.millis(0.3, 4),
        () -> {
          if (!node.passes()) {
            return;
          }
          if (!world.database().up || world.faults().full()) {
            fail(promise, Refusal.unavailable("the database is away"));
          } else if (dice.chance(world.faults().busy())) {
            fail(promise, Refusal.unavailable("it was rolled back"));
          } else if (before != node.silences() || dice.chance(world.faults().lost())) {
            lose(promise, begunIn, transaction);
          } else {
            commit(promise, begunIn, transaction);
          }
        });
    return promise.future();
  }

  private void fail(Promise<?> promise, Exception why) {
    node.after(dice.millis(0.2, 1), () -> promise.tryFail(why));
  }

  /// It is committed later or never.
  private void lose(Promise<?> promise, Epoch begunIn, Supplier<?> transaction) {
    if (dice.chance(0.6)) {
      world
          .scheduler()
          .after(
              dice.millis(0, LONGEST_LATE),
              () -> {
                if (begunIn.equals(world.database().epoch())) {
                  var _ = transaction.get();
                }
              });
    }
    fail(promise, new ClosedChannelException());
  }

  private <R> void commit(Promise<R> promise, Epoch begunIn, Supplier<R> transaction) {
    if (!begunIn.equals(world.database().epoch())) {
      fail(promise, new ClosedChannelException());
      return;
    }
    Future<R> result = Future.succeededFuture().map(_ -> transaction.get());
    if (dice.chance(world.faults().lost())) {
      fail(promise, new ClosedChannelException());
    } else {
      node.after(dice.millis(0.2, 1.5), () -> result.onComplete(promise));
    }
  }

  /// Some of them somebody else has locked at this moment.
  private Set<RegistrationId> held(Collection<RegistrationId> all) {
    return all.stream()
        .filter(_ -> dice.chance(HELD))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Override
  public Future<Map<Caller, Opened>> open(List<Caller> devices) {
    return node.read(() -> world.database().drain().open(devices))
        .onSuccess(opened -> opened.values().forEach(queue -> node.saw(queue.epoch())));
  }

  @Override
  public Future<Map<Place, Part>> read(List<Place> places) {
    return node.read(() -> world.database().drain().read(places))
        .onSuccess(parts -> parts.values().forEach(part -> node.saw(part.page().epoch())));
  }

  @Override
  public Future<Void> expire() {
    return change(
        () -> {
          world.database().drain().expire();
          return null;
        });
  }

  @Override
  public Future<Stored> ack(Map<RegistrationId, UpTo> acks, boolean waits) {
    Set<RegistrationId> held = waits ? Set.of() : held(acks.keySet());
    return change(() -> world.database().drain().ack(acks, held))
        .onSuccess(stored -> node.saw(stored.epoch()));
  }

  @Override
  public Future<Boolean> reject(RejectEnvelope command) {
    return change(() -> world.database().drain().reject(command));
  }

  @Override
  public Future<Claimed> claim(SortedSet<RegistrationId> waiting, List<ToWake> woken) {
    Set<RegistrationId> held = held(waiting);
    Duration after = world.config().queues().wakeAfter();
    return change(() -> world.database().drain().claim(waiting, woken, after, held));
  }

  @Override
  public Future<Map<Arrived, Set<AccountId>>> audience(List<Arrived> runs) {
    return node.read(() -> ModelDrain.audience(runs));
  }
}
