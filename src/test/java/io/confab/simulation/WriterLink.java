package io.confab.simulation;

import io.confab.feed.Event;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.SimulatedWriter;
import io.confab.message.SimulatedWriter.ChangeVerdict;
import io.confab.message.SimulatedWriter.Verdict;
import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.function.Supplier;

/// The connection of one writer to the database. A call may be answered, be rolled back, or end
/// with the connection, and then be committed before, after that, or never.
final class WriterLink implements SimulatedWriter.Log {
  private final ModelDatabase database;
  private final FaultRates faults;
  private final Scheduler scheduler;
  private final Dice dice;
  private final SimNode node;
  private Epoch epoch;
  private boolean connected;
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
    return call(() -> database.append(group));
  }

  @Override
  public Future<List<ChangeVerdict>> change(List<MessageChange> run) {
    return call(() -> database.change(run));
  }

  @Override
  public Future<List<Event>> find(List<Draft> group) {
    return call(() -> database.find(group));
  }

  @Override
  public Future<List<Event>> findChanges(List<MessageChange> run) {
    return call(() -> database.findChanges(run));
  }

  private <T> Future<T> call(Supplier<T> transaction) {
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
    scheduler.after(duration(), () -> arrived(mine, outcome, promise));
    lost = () -> promise.tryFail(new ClosedChannelException());
    return promise.future();
  }

  private Runnable lost = () -> {};

  private long duration() {
    return dice.chance(faults.slow()) ? dice.millis(50, 1_500) : dice.millis(0.3, 4);
  }

  private <T> void arrived(Call mine, Promise<T> outcome, Promise<T> promise) {
    if (mine.over || mine.cut) {
      return;
    }
    if (dice.chance(faults.busy())) {
      mine.abort();
      node.after(
          dice.millis(0.2, 1), () -> promise.tryFail(new PgException("no", "ERROR", "57014", "")));
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
              if (!mine.cut) {
                outcome.future().onSuccess(promise::tryComplete);
              }
            });
      }
    }
  }

  /// The connection ends, whatever is under way.
  void cut() {
    connected = false;
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
