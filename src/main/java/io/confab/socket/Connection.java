package io.confab.socket;

import io.confab.account.outside.Bearer;
import io.confab.listener.ClientAddress;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.confab.protocol.SessionId;
import io.confab.socket.SocketChannel.ChannelContext;
import io.confab.time.TimingWheel.Timeout;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One client: what comes off its wire goes to its session, and its silences are noticed.
final class Connection implements Wire.Listener {
  private final ChannelContext shared;
  private final Wire wire;
  private final SocketChannel channel;
  private final Session session;
  private final Inbox inbox;
  private final FramePace pace;
  private final Liveness liveness;
  private final Consumer<Connection> left;
  private final Runnable cutOff;
  private @Nullable Timeout nextLook;
  private @Nullable Timeout fragments;
  private boolean gone;

  /// @param context as for [Wire]
  /// @param address that its client comes from
  /// @param bearer who the upgrade said it is
  /// @param left called once, when the connection is over
  Connection(
      Executor context,
      SocketServices services,
      ChannelContext shared,
      ClientAddress address,
      Optional<Bearer> bearer,
      Consumer<Connection> left) {
    MessageReader reader = new MessageReader(shared.limits().helloFrameBytes());
    this.shared = shared;
    this.wire = new Wire(context, reader, this);
    this.channel = new SocketChannel(wire, reader, shared);
    this.session =
        new Session(
            new SessionId(UUID.randomUUID().toString()),
            services,
            channel,
            address.group(),
            bearer);
    this.inbox = new Inbox(session, channel, shared.limits().requests());
    this.pace = new FramePace(services.limits(), shared.wheel(), channel, session::countedAs);
    this.liveness = new Liveness(shared.limits(), shared.wheel().nanos());
    this.cutOff = wire::end;
    this.left = left;
  }

  void begin(ChannelPipeline pipeline) {
    lookLater();
    wire.takeOver(pipeline);
  }

  void close(CloseCode code, String reason) {
    session.close(code, reason);
  }

  boolean isStaleUnder(Epoch newer) {
    return session.isStaleUnder(newer);
  }

  /// Takes no request any more; done when those under way are answered.
  Future<Void> finish() {
    return inbox.finish();
  }

  @Override
  public void heard(Incoming incoming) {
    liveness.beat(shared.wheel().nanos());
    switch (incoming) {
      case Incoming.Text(String text) -> text(text);
      case Incoming.Binary _ -> close(CloseCode.PROTOCOL, "binary frame");
      case Incoming.Part() -> part();
      case Incoming.Ping(byte[] payload) -> {
        channel.pong(payload);
        pace.count();
      }
      case Incoming.Pong() -> pace.count();
      case Incoming.Close(byte[] payload) -> {
        channel.closedByPeer(payload);
        session.closed();
      }
    }
  }

  private void text(String text) {
    if (fragments != null) {
      fragments.cancel();
      fragments = null;
    }
    if (!channel.isClosing()) {
      shared.meters().frameIn();
      inbox.text(text);
      pace.countSize(text.length());
    }
  }

  private void part() {
    pace.count();
    if (fragments == null) {
      fragments =
          shared
              .wheel()
              .schedule(
                  shared.limits().fragmentTimeout(),
                  () -> close(CloseCode.PROTOCOL, "a fragmented message was not completed"));
    }
  }

  @Override
  public void broken(WireFault fault) {
    pace.count();
    channel.broken(fault);
    session.closed();
  }

  @Override
  public void unread(int bytes) {
    shared.halves().holds(cutOff, gone ? 0 : bytes);
  }

  private void lookLater() {
    nextLook =
        shared
            .wheel()
            .schedule(
                liveness.quiet(shared.wheel().nanos(), session.isGreeted()), this::lookAround);
  }

  private void lookAround() {
    long now = shared.wheel().nanos();
    if (wire.isPaused()) {
      liveness.beat(now); // a paused reader is not dead; StallWatch looks after it
    }
    switch (liveness.judge(now, session.isGreeted())) {
      case FINE -> {}
      case PING -> channel.ping();
      case DEAD -> close(CloseCode.NO_BEAT, "no beat");
      case STRANGER -> close(CloseCode.AUTHENTICATE, "no hello in time");
    }
    if (!channel.isClosing()) {
      lookLater();
    }
  }

  @Override
  public void gone() {
    if (gone) {
      return;
    }
    gone = true;
    if (nextLook != null) {
      nextLook.cancel();
    }
    if (fragments != null) {
      fragments.cancel();
    }
    shared.halves().holds(cutOff, 0);
    channel.gone();
    session.closed();
    left.accept(this);
  }
}
