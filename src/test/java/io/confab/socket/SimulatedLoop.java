package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.BusEventSource;
import io.confab.feed.Event;
import io.confab.feed.FeedHub;
import io.confab.feed.RoomSignal;
import io.confab.metrics.Meters;
import io.confab.protocol.Caller;
import io.confab.protocol.CloseCode;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.Json;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Goodbye;
import io.confab.protocol.SessionId;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// A loop with its sessions, the real ones, above sockets that are somebody else's models.
public final class SimulatedLoop {
  private final SocketServices services;
  private final Set<Session> sessions = new LinkedHashSet<>();

  /// Whose loop it is.
  public record Host(NodeId node, Config config, Requests bus, FeedHub hub, Meters meters) {}

  /// The way to one client.
  public interface Pipe {
    void frame(byte[] json);

    boolean isFull();

    Future<Void> drained();

    /// After the last frame.
    void close(int code);
  }

  /// One session, as its socket sees it.
  public static final class Peer {
    private final Session session;

    private final Runnable left;

    private Peer(Session session, Runnable left) {
      this.session = session;
      this.left = left;
    }

    /// A frame of the client came.
    public void text(String frame) {
      session.text(frame);
    }

    /// The socket is gone.
    public void gone() {
      session.closed();
      left.run();
    }
  }

  enum Unregistered implements SessionRegistry {
    SESSIONS;

    @Override
    public void opened(SessionId session, Caller caller, Fence fence) {}

    @Override
    public void closed(SessionId session, Caller caller, Fence fence, boolean parting) {}

    @Override
    public void shows(SessionId session, Caller caller, PresenceStatus status) {}
  }

  public SimulatedLoop(Host host, Executor context, LongSupplier nanoTime) {
    this.services =
        SocketServices.of(
            host.node(),
            host.config(),
            host.bus(),
            SocketLoop.open(
                context,
                host.hub(),
                host.bus(),
                new BusEventSource(host.bus(), host.hub().epoch()),
                host.meters(),
                nanoTime,
                new MemoryShares(16 << 20, 16 << 20)),
            Unregistered.SESSIONS,
            host.meters(),
            () -> Instant.EPOCH,
            TestLimits.limits(host.config(), nanoTime));
    host.hub().epoch().onChange(context, this::resync);
  }

  /// As the endpoint of a node does.
  private void resync(Epoch epoch) {
    for (Session session : List.copyOf(sessions)) {
      if (session.isStaleUnder(epoch)) {
        session.close(CloseCode.RESYNC, "the epoch is " + epoch);
      }
    }
  }

  /// As often as [SocketLoop#TICK].
  public void tick() {
    services.loop().wheel().advance();
  }

  public Peer open(String session, Pipe pipe) {
    Session opened =
        new Session(new SessionId(session), services, new Out(pipe), "address", Optional.empty());
    sessions.add(opened);
    return new Peer(opened, () -> sessions.remove(opened));
  }

  private static final class Out implements Outbound {
    private final Pipe pipe;
    private boolean closing;

    Out(Pipe pipe) {
      this.pipe = pipe;
    }

    @Override
    public void send(ServerFrame frame) {
      if (!closing) {
        pipe.frame(Json.bytes(frame));
      }
    }

    @Override
    public void send(Event event, boolean shown) {
      if (!closing) {
        pipe.frame(shown ? event.frame() : event.hiddenFrame());
      }
    }

    @Override
    public void send(byte[] head, byte[] tail) {
      if (!closing) {
        pipe.frame(EnvelopeFrames.text(head, tail).getBytes(StandardCharsets.UTF_8));
      }
    }

    @Override
    public void send(RoomSignal signal) {
      if (!closing) {
        pipe.frame(signal.frame());
      }
    }

    @Override
    public void welcomed() {}

    @Override
    public boolean isFull() {
      return pipe.isFull();
    }

    @Override
    public Future<Void> drained() {
      return closing ? Future.succeededFuture() : pipe.drained();
    }

    @Override
    public void close(CloseCode code, String reason) {
      if (closing) {
        return;
      }
      if (code != CloseCode.NORMAL) {
        send(new Goodbye(code.code(), reason, code.resume(), 0));
      }
      closing = true;
      pipe.close(code.code());
    }
  }
}
