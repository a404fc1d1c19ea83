package io.confab.socket;

import io.confab.bus.Lane;
import io.confab.bus.Requests;
import io.confab.message.Changed;
import io.confab.message.MessageChange;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.message.MessageCommand;
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
  private final Requests bus;
  private final Outbound out;

  Changes(Requests bus, Outbound out) {
    this.bus = bus;
    this.out = out;
  }

  /// Done when the edit is answered; never fails.
  Future<Void> edit(@Nullable String re, Caller caller, MessageEdit frame) {
    return make(
        re,
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
        re, null, () -> new Deletion(RoomId.parse(frame.roomId()), frame.seq(), caller.account()));
  }

  private Future<Void> make(
      @Nullable String re, @Nullable ClientId clientId, Supplier<MessageChange> change) {
    return Future.succeededFuture()
        .map(_ -> change.get())
        .compose(this::ask)
        .onSuccess(changed -> out.send(Ok.changed(re, changed.rev())))
        .onFailure(no -> out.send(ErrorFrame.of(re, Refusals.of(no), clientId)))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private Future<Changed> ask(MessageChange change) {
    return bus.request(
        MessageCommand.ADDRESS,
        Lane.of(change.roomId().value()),
        new MessageCommand.Change(change));
  }
}
