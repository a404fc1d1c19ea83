package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.message.MessageChange;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.message.MessageRequests;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.MessageDelete;
import io.confab.protocol.ClientFrame.MessageEdit;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.Ok;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The edits and deletions of one session: each is answered by `ok` with the rev of its change,
/// or by an error, which names the `client_id` of an edit.
final class Changes {
  private final MessageRequests messages;
  private final Limits limits;
  private final Outbound out;

  Changes(MessageRequests messages, Limits limits, Outbound out) {
    this.messages = messages;
    this.limits = limits;
    this.out = out;
  }

  /// Done when the edit is answered; never fails.
  Future<Void> edit(@Nullable String re, Caller caller, MessageEdit frame) {
    return make(
        re,
        caller,
        frame.clientId(),
        () ->
            new Edit(
                RoomId.parse(frame.roomId()),
                frame.seq(),
                caller.account(),
                frame.clientId(),
                frame.body()));
  }

  /// Done when the deletion is answered; never fails.
  Future<Void> delete(@Nullable String re, Caller caller, MessageDelete frame) {
    return make(
        re,
        caller,
        null,
        () -> new Deletion(RoomId.parse(frame.roomId()), frame.seq(), caller.account()));
  }

  private Future<Void> make(
      @Nullable String re,
      Caller caller,
      @Nullable ClientId clientId,
      Supplier<MessageChange> change) {
    return Future.succeededFuture()
        .map(
            _ -> {
              limits.take(Limit.CHANGES, caller.account().toString());
              return change.get();
            })
        .compose(messages::change)
        .onSuccess(changed -> out.send(Ok.changed(re, changed.rev())))
        .onFailure(no -> out.send(ErrorFrame.of(re, Refusals.of(no), clientId)))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }
}
