package io.confab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// A way through which TCP connections go to one server on this machine, and which fails when told
/// so: cuts after a byte, resets, swallows one direction or both, stands still, delays. For any
/// thread; each direction of a connection has a virtual thread.
final class FaultProxy implements AutoCloseable {
  /// The direction of bytes.
  enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  /// What is done to what comes, until [#heal].
  sealed interface Conduct {
    record Pass() implements Conduct {}

    /// What goes one of these ways is lost; new connections are accepted all the same.
    record Swallow(Set<Way> ways) implements Conduct {}

    /// Nothing is read any more, so that the sender's window fills.
    record Still() implements Conduct {}

    record Delay(Duration by) implements Conduct {}

    /// Connections are reset as soon as they come.
    record Refuse() implements Conduct {}
  }

  private static final int CHUNK = 16_384;
  private static final long NO_CUT = Long.MAX_VALUE;

  private final ServerSocket listener;
  private final int server;
  private final Supplier<Filter> toServer;
  private final Supplier<Filter> toClient;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private volatile Conduct conduct = new Conduct.Pass();

  private FaultProxy(
      ServerSocket listener, int server, Supplier<Filter> toServer, Supplier<Filter> toClient) {
    this.listener = listener;
    this.server = server;
    this.toServer = toServer;
    this.toClient = toClient;
  }

  /// @param toServer makes the filter of one connection, and so does toClient
  static FaultProxy before(int server, Supplier<Filter> toServer, Supplier<Filter> toClient) {
    try {
      ServerSocket listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
      FaultProxy proxy = new FaultProxy(listener, server, toServer, toClient);
      Thread.ofVirtual().name("proxy-" + server).start(proxy::listen);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  /// Connections open now.
  int open() {
    return links.size();
  }

  /// Connections accepted since the start.
  long accepted() {
    return accepted.get();
  }

  void conduct(Conduct next) {
    conduct = next;
    if (next instanceof Conduct.Refuse) {
      reset();
    }
  }

  /// From now on all passes; connections that lost bytes are reset, as no TCP connection gets
  /// over that.
  void heal() {
    conduct = new Conduct.Pass();
    links.forEach(link -> link.cutAfter = NO_CUT);
    links.stream().filter(link -> link.lossy).forEach(Link::reset);
  }

  /// Resets all connections.
  ///
  /// @return how many
  int reset() {
    List<Link> open = List.copyOf(links);
    open.forEach(Link::reset);
    return open.size();
  }

  /// Each connection is reset once so many more bytes went to its client, in the midst of what
  /// they belong to.
  ///
  /// @return of how many connections
  int cutAfter(long bytes) {
    links.forEach(link -> link.cutAfter = bytes);
    return links.size();
  }

  private void listen() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        accepted.incrementAndGet();
        Thread.ofVirtual().start(() -> join(client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void join(Socket client) {
    try {
      if (conduct instanceof Conduct.Refuse) {
        throw new IOException("refused");
      }
      Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      Link link = new Link(client, upstream);
      links.add(link);
      Thread.ofVirtual().start(() -> pump(link, Way.TO_SERVER));
      pump(link, Way.TO_CLIENT);
    } catch (IOException away) {
      resetQuietly(client);
    }
  }

  private void pump(Link link, Way way) {
    Socket from = way == Way.TO_SERVER ? link.client : link.upstream;
    Socket to = way == Way.TO_SERVER ? link.upstream : link.client;
    Filter filter = way == Way.TO_SERVER ? toServer.get() : toClient.get();
    byte[] buffer = new byte[CHUNK];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (passes(link, way)) {
          write(link, way, to, filter.through(Arrays.copyOf(buffer, n)));
        }
      }
      link.close();
    } catch (IOException _) {
      link.reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      link.reset();
    } finally {
      links.remove(link);
    }
  }

  /// Waits as long as it is told to; whether the bytes go on.
  private boolean passes(Link link, Way way) throws InterruptedException {
    while (conduct instanceof Conduct.Still && !link.ended) {
      Thread.sleep(20);
    }
    if (conduct instanceof Conduct.Delay(Duration by)) {
      Thread.sleep(by);
    }
    if (conduct instanceof Conduct.Swallow(Set<Way> ways) && ways.contains(way)) {
      link.lossy = true;
      return false;
    }
    return true;
  }

  private static void write(Link link, Way way, Socket to, byte[] bytes) throws IOException {
    long left = link.cutAfter;
    if (way == Way.TO_CLIENT && left != NO_CUT) {
      int length = (int) Math.min(bytes.length, left);
      link.cutAfter = left - length;
      to.getOutputStream().write(bytes, 0, length);
      if (left == length) {
        throw new IOException("cut");
      }
      return;
    }
    to.getOutputStream().write(bytes);
  }

  private static void resetQuietly(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException alreadyClosed) {
      // which is what was wanted
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reset();
  }

  private static final class Link {
    final Socket client;
    final Socket upstream;
    volatile long cutAfter = NO_CUT;
    volatile boolean lossy;
    volatile boolean ended;

    Link(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void reset() {
      ended = true;
      resetQuietly(client);
      resetQuietly(upstream);
    }

    void close() throws IOException {
      ended = true;
      client.close();
      upstream.close();
    }
  }
}
