package io.confab.message;

import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.metrics.Meters;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.vertx.core.Future;

/// The way of sends, edits and deletions from a client to the writer of their room, over the bus
/// in one hop; how they end is counted here. The one place where it is asked whether who sends is
/// inside.
public final class MessageRequests {
  private final Requests bus;
  private final Limits limits;
  private final Meters meters;
  private final Seating seating;

  public MessageRequests(Requests bus, Limits limits, Meters meters, Seating seating) {
    this.bus = bus;
    this.limits = limits;
    this.meters = meters;
    this.seating = seating;
  }

  /// Sends a message. Refusals: as of [WriteCommand.Send]. Throws `rate_limited` where the room
  /// gets too many.
  public Future<Sent> send(Draft draft) {
    long began = System.nanoTime();
    return limits
        .counted(
            Limit.ROOM_SENDS,
            draft.roomId().toString(),
            () -> seating.attempt(draft.senderId(), draft.roomId(), inside -> store(draft, inside)))
        .onSuccess(sent -> meters.sendAcknowledged(sent.duplicate(), System.nanoTime() - began))
        .onFailure(failure -> meters.sendRefused(code(failure)));
  }

  /// Sends to a sealed room. Refusals: as of [WriteCommand.Put]. Throws `rate_limited` where the
  /// room gets too many.
  public Future<EnvelopeSent> put(EnvelopeDraft draft) {
    long began = System.nanoTime();
    RoomId room = draft.roomId();
    return (room == null
            ? bus.request(new WriteCommand.Put(draft))
            : limits.counted(
                Limit.ROOM_SENDS, room.toString(), () -> bus.request(new WriteCommand.Put(draft))))
        .onSuccess(sent -> meters.sendAcknowledged(sent.duplicate(), System.nanoTime() - began))
        .onFailure(failure -> meters.sendRefused(code(failure)));
  }

  private Future<Sent> store(Draft draft, boolean inside) {
    return bus.request(new WriteCommand.Send(inside ? draft.seated(true) : draft));
  }

  /// Edits or deletes a message. Refusals: as of [WriteCommand.Change].
  public Future<Changed> change(MessageChange change) {
    return seating
        .attempt(
            change.caller(),
            change.roomId(),
            inside -> bus.request(new WriteCommand.Change(change.seated(inside))))
        .onSuccess(_ -> meters.changeAcknowledged())
        .onFailure(failure -> meters.changeRefused(code(failure)));
  }

  private static ErrorCode code(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal.code() : ErrorCode.INTERNAL;
  }
}
