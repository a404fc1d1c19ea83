package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.marker.MarkerCommand.Kind;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.protocol.ClientFrame.Delivered;
import io.confab.protocol.ClientFrame.MarkUnread;
import io.confab.protocol.ClientFrame.Read;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame.Ok;
import io.vertx.core.Future;

/// The frames by which a client says what was received and read: each is answered by `ok` once that
/// is stored.
record MarkerFrames(Requests bus) {
  void mount(Frames frames) {
    frames.mount(
        "read", Limit.MARKERS, Read::read, (call, f) -> move(call, f.roomId(), Kind.READ, f.seq()));
    frames.mount(
        "delivered",
        Limit.MARKERS,
        Delivered::read,
        (call, f) -> move(call, f.roomId(), Kind.DELIVERED, f.seq()));
    frames.mount(
        "mark_unread",
        Limit.MARKERS,
        MarkUnread::read,
        (call, f) -> move(call, f.roomId(), Kind.UNREAD, f.seq()));
  }

  private Future<?> move(FrameCall call, String room, Kind kind, Seq seq) {
    return bus.request(
            new MoveMarker(
                call.caller().account(), RoomId.parse(room), kind, seq, call.session().id()))
        .onSuccess(_ -> call.answer(Ok.done(call.id())));
  }
}
