package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.presence.PresenceCommand.SetPresence;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame;
import io.confab.protocol.ClientFrame.PresenceSet;
import io.confab.protocol.ServerFrame.Ok;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/// The frames by which a session says whom it watches, and what it is to others itself. Belongs to
/// one event loop.
final class PresenceFrames {
  private final Requests bus;
  private final SocketLoop loop;
  private final WatchedRooms rooms;
  private final Map<AuthenticatedSession, PresenceWatch> watches = new HashMap<>();

  PresenceFrames(Requests bus, SocketLoop loop) {
    this.bus = bus;
    this.loop = loop;
    this.rooms = new WatchedRooms(loop, bus);
  }

  void mount(Frames frames) {
    frames.mount("presence.watch", Limit.PRESENCE, ClientFrame.PresenceWatch::read, this::watch);
    frames.mount("presence.set", Limit.PRESENCE, PresenceSet::read, this::set);
  }

  private Future<?> watch(FrameCall call, ClientFrame.PresenceWatch frame) {
    return of(call).answer(call.id(), frame.accounts(), frame.roomIds());
  }

  private PresenceWatch of(FrameCall call) {
    AuthenticatedSession session = call.session();
    PresenceWatch present = watches.get(session);
    if (present != null) {
      return present;
    }
    PresenceWatch watch =
        new PresenceWatch(
            call.caller().account(), call.socket().out(), bus, loop.presence(), rooms);
    watches.put(session, watch);
    session.whenClosed(
        () -> {
          watches.remove(session);
          watch.close();
        });
    return watch;
  }

  private Future<?> set(FrameCall call, PresenceSet frame) {
    AccountId account = call.caller().account();
    String text = frame.text();
    Future<?> stored =
        text == null ? Future.succeededFuture() : bus.request(new SetPresence(account, null, text));
    return stored.onSuccess(
        _ -> {
          call.socket().show(frame.status());
          call.answer(Ok.done(call.id()));
        });
  }
}
