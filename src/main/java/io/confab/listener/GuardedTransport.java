package io.confab.listener;

import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.config.TlsMode;
import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The transport of a Vert.x that asks an [Admission] about each connection of the public
/// listener when it is accepted, and bounds those of the event bus. Vert.x itself tells of a
/// connection once TLS is through.
public final class GuardedTransport implements io.vertx.core.transport.Transport {
  private final Transport transport;

  /// The native transport where this machine has it.
  ///
  /// @param shares that of messages of the bus, and of TLS, that have not come as a whole
  public GuardedTransport(Config.Http config, Admission admission, MemoryShares shares) {
    AcceptGate gate =
        new AcceptGate(
            admission,
            config.tls().mode() == TlsMode.FILES
                ? Optional.of(new SharedBound(shares.unfinishedTls()))
                : Optional.empty());
    BusGate busGate = new BusGate(shares.busMessages());
    BiConsumer<NetServerOptions, ServerBootstrap> guard =
        (options, bootstrap) -> {
          if (PublicListener.isAt(config, options)) {
            bootstrap.handler(gate);
          } else if (isOpenBus(options)) {
            bootstrap.handler(busGate);
          }
        };
    Transport epoll = new Epoll(guard);
    this.transport = epoll.isAvailable() ? epoll : new Nio(guard);
  }

  /// The one server that does not speak HTTP. With TLS only other nodes get as far as
  /// to a message.
  private static boolean isOpenBus(NetServerOptions options) {
    return !(options instanceof HttpServerOptions) && !options.isSsl();
  }

  private static final class Epoll extends EpollTransport {
    private final BiConsumer<NetServerOptions, ServerBootstrap> guard;

    Epoll(BiConsumer<NetServerOptions, ServerBootstrap> guard) {
      this.guard = guard;
    }

    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(options, domainSocket, bootstrap);
      guard.accept(options, bootstrap);
    }
  }

  private static final class Nio extends NioTransport {
    private final BiConsumer<NetServerOptions, ServerBootstrap> guard;

    Nio(BiConsumer<NetServerOptions, ServerBootstrap> guard) {
      this.guard = guard;
    }

    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(options, domainSocket, bootstrap);
      guard.accept(options, bootstrap);
    }
  }

  @Override
  public String name() {
    return "guarded";
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public Transport implementation() {
    return transport;
  }
}
