package io.confab.queue;

import io.confab.postgres.BatchedRead;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.Acked;
import io.confab.queue.QueueStore.Run;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Stores what devices acknowledge, that of many devices in one call and one commit: while a call
/// is in flight it collects, and after a call of several a moment longer, as a call costs much and
/// a device in it little. An acknowledgement that is alone goes at once.
///
/// A queue that somebody else has locked holds up nobody: it is waited for in calls of few queues,
/// beside the others.
///
/// Each is answered after its commit. After a call whose outcome is unknown devices name the same
/// number again, which changes nothing where it was stored. For any thread.
final class AckWriter {
  /// Acknowledgements that may wait, 200 bytes each: 4 MB.
  private static final int MOST_WAITING = 20_000;

  /// Acknowledgements in one call.
  static final int AT_ONCE = 200;

  /// The same of those that are waited for.
  private static final int FEW = 10;

  /// As of [QueueStore#ack].
  interface Store {
    Future<Acked> ack(SortedMap<RegistrationId, Ack> acks, boolean waits);
  }

  private final Store store;
  private final Consumer<Set<Run>> delivered;
  private final BatchedRead<Named, Acked> calls;
  private final BatchedRead<Named, Acked> patient;

  private record Named(RegistrationId registration, Ack ack) {}

  /// @param delivered hears of what was acknowledged, after the commit
  /// @param pace from one call to the next
  AckWriter(Store store, Consumer<Set<Run>> delivered, BatchedRead.Pace pace) {
    this.store = store;
    this.delivered = delivered;
    this.calls = new BatchedRead<>(MOST_WAITING, AT_ONCE, acks -> write(acks, false), pace);
    this.patient = new BatchedRead<>(MOST_WAITING, FEW, acks -> write(acks, true));
  }

  /// Answers up to where the queue is acknowledged, after the commit. Refusals: `unavailable`, also
  /// in another epoch; `not_found` for a device that was removed.
  Future<QueueSeq> ack(RegistrationId registration, Ack ack) {
    List<Named> named = List.of(new Named(registration, ack));
    return calls
        .read(named)
        .compose(
            acked ->
                acked.busy().contains(registration)
                    ? patient.read(named)
                    : Future.succeededFuture(acked))
        .map(acked -> gone(acked, registration, ack));
  }

  private static QueueSeq gone(Acked acked, RegistrationId registration, Ack ack) {
    if (!acked.epoch().equals(ack.epoch())) {
      throw Refusal.unavailable("the number is of another epoch");
    }
    QueueSeq now = acked.gone().get(registration);
    if (now == null) {
      throw new Refusal(ErrorCode.NOT_FOUND, "the device was removed");
    }
    return now;
  }

  private Future<Acked> write(List<Named> acks, boolean waits) {
    SortedMap<RegistrationId, Ack> latest = new TreeMap<>();
    acks.forEach(named -> latest.merge(named.registration(), named.ack(), Ack::later));
    return store
        .ack(latest, waits)
        .onSuccess(
            acked -> {
              if (!acked.runs().isEmpty()) {
                delivered.accept(acked.runs());
              }
            });
  }
}
