package io.confab.queue;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.feed.Announcer;
import io.confab.metrics.Meters;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.Caller;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.Acknowledged;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.Acked;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Answers commands about queues. For any thread.
public final class QueueHandler {
  private final QueueStore store;
  private final QueueReads reads;
  private final AckWriter acks;
  private final Meters meters;

  private QueueHandler(QueueStore store, QueueReads reads, AckWriter acks, Meters meters) {
    this.store = store;
    this.reads = reads;
    this.acks = acks;
    this.meters = meters;
  }

  /// @param expire ends what is due in queues
  /// @param back hears of each device that was dormant, with the version of its account's devices
  /// @param acks from one call that stores acknowledgements to the next
  public static QueueHandler of(
      Database database,
      Announcer announcer,
      BatchedRead.Pace acks,
      Supplier<Future<Void>> expire,
      BiConsumer<Caller, Long> back,
      Meters meters) {
    QueueStore store = new QueueStore(database);
    DeliveryTelling telling = new DeliveryTelling(store::audience, announcer);
    return new QueueHandler(
        store,
        new QueueReads(
            new QueueReads.Statements(
                store::open,
                places -> store.read(places, QueueCommand.PAGE, QueueReads.PAGE_BYTES),
                expire),
            back),
        new AckWriter(
            (queues, waits) -> measured(store, queues, waits, meters), telling::tell, acks),
        meters);
  }

  private static Future<Acked> measured(
      QueueStore store, SortedMap<RegistrationId, Ack> acks, boolean waits, Meters meters) {
    long began = System.nanoTime();
    return store
        .ack(acks, waits)
        .onSuccess(
            acked ->
                meters.queuesAcknowledged(
                    acks.size() - acked.busy().size(),
                    Duration.ofNanos(System.nanoTime() - began)));
  }

  public Future<? extends BusMessage> handle(QueueCommand<?> command) {
    return switch (command) {
      case OpenQueue(var device) -> reads.open(device);
      case ReadQueue(_, var registration, var after) -> reads.read(registration, after);
      case AckQueue(_, var registration, var upTo, var epoch) ->
          acks.ack(registration, new Ack(upTo, epoch)).map(Acknowledged::new);
      case RejectEnvelope reject -> reject(reject);
    };
  }

  private Future<Done> reject(RejectEnvelope command) {
    return store
        .reject(command)
        .map(
            rejected -> {
              if (rejected) {
                meters.letterDied();
              }
              return Done.DONE;
            });
  }
}
