package io.confab.message;

import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.metrics.Meters;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;

/// The way of sends, edits and deletions from a client to the writer of their room, over the bus
/// in one hop; how they end is counted here.
public final class MessageRequests {
  private final Requests bus;
  private final Limits limits;
  private final Meters meters;

  public MessageRequests(Requests bus, Limits limits, Meters meters) {
    this.bus = bus;
    this.limits = limits;
    this.meters = meters;
  }

  /// Sends a message. Refusals: as of [WriteCommand.Send]. Throws `rate_limited` where the room
  /// gets too many.
  public Future<Sent> send(Draft draft) {
    long began = System.nanoTime();
    return limits
        .counted(
            Limit.ROOM_SENDS,
            draft.roomId().toString(),
            () -> bus.request(new WriteCommand.Send(draft)))
        .onSuccess(sent -> meters.sendAcknowledged(sent.duplicate(), System.nanoTime() - began))
        .onFailure(failure -> meters.sendRefused(code(failure)));
  }

  /// Edits or deletes a message. Refusals: as of [WriteCommand.Change].
  public Future<Changed> change(MessageChange change) {
    return bus.request(new WriteCommand.Change(change))
        .onSuccess(_ -> meters.changeAcknowledged())
        .onFailure(failure -> meters.changeRefused(code(failure)));
  }

  private static ErrorCode code(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal.code() : ErrorCode.INTERNAL;
  }
}
