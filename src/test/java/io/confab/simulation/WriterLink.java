package io.confab.simulation;

import io.confab.feed.Event;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.SimulatedWriter;
import io.confab.message.SimulatedWriter.ChangeVerdict;
import io.confab.message.SimulatedWriter.Verdict;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import java.nio.channels.ClosedChannelException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The connection of one writer to the database. A call may be answered, be rolled back, or end
/// with the connection, and then be committed before, after that, or never.
final class WriterLink implements SimulatedWriter.Log {
  private static final String LOCKED = "55P03";
  private static final String DISK_FULL = "53100";
  private static final String CANCELLED = "57014";

  private final ModelDatabase database;
  private final FaultRates faults;
  private final Scheduler scheduler;
  private final Dice dice;
  private final SimNode node;
  private Epoch epoch;
  private boolean connected;
  private boolean silent;
  private Call call = new Call(() -> {});

  /// When the last call that was cut has ended for good.
  private long settledAt;

  private static final class Call {
    private final Runnable transaction;
    private boolean over;
    private boolean cut;

    Call(Runnable transaction) {
      this.transaction = transaction;
    }

    void commit() {
      if (!over) {
        over = true;
        transaction.run();
      }
    }

    void abort() {
      over = true;
    }
  }

  WriterLink(SimWorld world, SimNode node) {
    this.database = world.database();
    this.faults = world.faults();
    this.scheduler = world.scheduler();
    this.dice = world.dice();
    this.node = node;
    this.epoch = database.epoch();
    call.abort();
  }

  @Override
  public Future<Void> connect() {
    Promise<Void> promise = Promise.promise();
    long wait = Math.max(dice.millis(0.5, 8), settledAt - scheduler.nanos());
    node.after(
        wait,
        () -> {
          if (!database.up || dice.chance(faults.lost() / 2)) {
            promise.fail(new ClosedChannelException());
          } else {
            connected = true;
            silent = false;
            epoch = database.epoch();
            node.saw(epoch);
            promise.complete();
          }
        });
    return promise.future();
  }

  @Override
  public boolean connected() {
    return connected;
  }

  @Override
  public Epoch epoch() {
    return epoch;
  }

  @Override
  public Future<List<Verdict>> append(List<Draft> group) {
    return call(group.stream().map(Draft::roomId).toList(), () -> database.append(group));
  }

  @Override
  public Future<List<ChangeVerdict>> change(List<MessageChange> run) {
    return call(run.stream().map(MessageChange::roomId).toList(), () -> database.change(run));
  }

  @Override
  public Future<List<Event>> find(List<Draft> group) {
    return call(List.of(), () -> database.find(group));
  }

  @Override
  public Future<List<Event>> findChanges(List<MessageChange> run) {
    return call(List.of(), () -> database.findChanges(run));
  }

  @Override
  public Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group) {
    return call(
        group.stream().map(EnvelopeDraft::room).toList(), () -> database.envelopes().put(group));
  }

  @Override
  public Future<List<Event>> findPut(List<EnvelopeDraft> group) {
    return call(List.of(), () -> database.envelopes().find(group));
  }

  @Override
  public Future<Set<RoomId>> locked(Collection<RoomId> rooms) {
    return call(
        List.of(),
        () -> rooms.stream().filter(database.locked::contains).collect(Collectors.toSet()));
  }

  /// @param rooms that it writes to
  private <T> Future<T> call(List<RoomId> rooms, Supplier<T> transaction) {
    Promise<T> promise = Promise.promise();
    if (!connected) {
      promise.fail(new ClosedChannelException());
      return promise.future();
    }
    Promise<T> outcome = Promise.promise();
    Epoch begunIn = epoch;
    Call mine =
        new Call(
            () -> {
              if (begunIn.equals(database.epoch())) {
                outcome.complete(transaction.get());
              }
            });
    call = mine;
    scheduler.after(duration(), () -> arrived(mine, rooms, outcome, promise));
    lost = () -> promise.tryFail(new ClosedChannelException());
    return promise.future();
  }

  private Runnable lost = () -> {};

  private long duration() {
    return dice.chance(faults.slow()) ? dice.millis(50, 1_500) : dice.millis(0.3, 4);
  }

  private <T> void arrived(Call mine, List<RoomId> rooms, Promise<T> outcome, Promise<T> promise) {
    if (mine.over || mine.cut) {
      return;
    }
    if (silent) { // whatever becomes of it, nobody hears of it
      if (dice.chance(0.5)) {
        mine.commit();
      }
    } else if (rooms.stream().anyMatch(database.locked::contains)) {
      abort(mine, promise, LOCKED);
    } else if (faults.full() && !rooms.isEmpty()) {
      abort(mine, promise, DISK_FULL);
    } else if (dice.chance(faults.busy())) {
      abort(mine, promise, CANCELLED);
    } else if (dice.chance(faults.lost())) {
      cut();
    } else {
      mine.commit();
      if (dice.chance(faults.lost())) {
        node.after(dice.millis(0.2, 3), this::cut);
      } else {
        node.after(
            dice.millis(0.2, 1),
            () -> {
              if (!mine.cut && !silent) {
                outcome.future().onSuccess(promise::tryComplete);
              }
            });
      }
    }
  }

  private void abort(Call mine, Promise<?> promise, String state) {
    mine.abort();
    node.after(
        dice.millis(0.2, 1),
        () -> {
          if (!silent) {
            promise.tryFail(new PgException("no", "ERROR", state, ""));
          }
        });
  }

  /// It carries nothing any more, which its owner finds out after a while; a new one would work.
  void fallSilent(long noticed) {
    if (connected) {
      silent = true;
      node.after(
          noticed,
          () -> {
            if (silent) {
              cut();
            }
          });
    }
  }

  /// The connection ends, whatever is under way.
  void cut() {
    connected = false;
    silent = false;
    Call mine = call;
    mine.cut = true;
    if (!mine.over) {
      if (dice.chance(0.6)) {
        long late = dice.millis(0, 3_000);
        settledAt = scheduler.nanos() + late;
        scheduler.after(late, mine::commit);
      } else {
        mine.abort();
      }
    }
    Runnable waiting = lost;
    lost = () -> {};
    node.after(dice.millis(0, 5), waiting);
  }
}
