package io.confab.testing.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Stands before one server: passes the bytes of TCP connections through a filter each, and cuts,
/// loses, holds or refuses when asked to. For any thread; each direction of a connection has a
/// virtual thread.
public final class TcpProxy implements AutoCloseable {
  /// What is done to connections and their bytes, until [#heal].
  public enum Conduct {
    PASS,

    /// What clients send is lost; new connections are accepted all the same.
    LOSE_REQUESTS,
    LOSE_ANSWERS,
    LOSE_ALL,

    /// Nothing is read any more, so that the sender's window fills.
    HOLD,

    /// Connections are reset, and new ones as soon as they come.
    REFUSE
  }

  private enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  private static final int CHUNK = 16_384;
  private static final long NO_CUT = Long.MAX_VALUE;

  private final ServerSocket listener;
  private final URI server;
  private final Supplier<Filter> filters;
  private final List<Link> links = new CopyOnWriteArrayList<>();
  private final AtomicLong accepted = new AtomicLong();
  private volatile Conduct conduct = Conduct.PASS;

  private TcpProxy(ServerSocket listener, URI server, Supplier<Filter> filters) {
    this.listener = listener;
    this.server = server;
    this.filters = filters;
  }

  /// @param url of the server, with its port
  /// @param filters makes the filter of one connection
  public static TcpProxy before(String url, Supplier<Filter> filters) {
    try {
      ServerSocket listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
      TcpProxy proxy = new TcpProxy(listener, URI.create(url), filters);
      Thread.ofVirtual().name("proxy-" + proxy.server.getPort()).start(proxy::listen);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /// The server's, by way of this proxy.
  public String url() {
    String there = server.getHost() + ":" + server.getPort();
    return server.toString().replace(there, "127.0.0.1:" + port());
  }

  /// Connections that are open now stand still until they are reset: neither side hears anything
  /// of the other, nor that it ended. New ones are not concerned.
  ///
  /// @return how many
  public int silence() {
    links.forEach(link -> link.silent = true);
    return links.size();
  }

  /// The filters of the connections that are open now, the oldest first.
  List<Filter> filters() {
    return links.stream().filter(link -> !link.ended).map(link -> link.filter).toList();
  }

  /// The ports from which open connections lead to the server, by which it knows them.
  public Set<Integer> serverSide() {
    return links.stream()
        .filter(link -> !link.ended)
        .map(link -> link.upstream.getLocalPort())
        .collect(Collectors.toCollection(HashSet::new));
  }

  /// Connections accepted since the start.
  public long accepted() {
    return accepted.get();
  }

  public void conduct(Conduct next) {
    conduct = next;
    if (next == Conduct.REFUSE) {
      reset();
    }
  }

  /// From now on all passes; connections that lost bytes or are silent are reset, as no TCP
  /// connection gets over that.
  public void heal() {
    conduct = Conduct.PASS;
    links.forEach(link -> link.cutAfter = NO_CUT);
    links.stream().filter(link -> link.lossy || link.silent).forEach(Link::reset);
  }

  /// Resets all connections.
  ///
  /// @return how many
  public int reset() {
    List<Link> open = List.copyOf(links);
    open.forEach(Link::reset);
    return open.size();
  }

  /// Resets the connection with this filter, if it is open.
  void reset(Filter filter) {
    links.stream().filter(link -> link.filter == filter).forEach(Link::reset);
  }

  /// Each connection is reset once so many more bytes went to its client, in the midst of what
  /// they belong to.
  ///
  /// @return of how many connections
  public int cutAfter(long bytes) {
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
      Socket upstream = new Socket(server.getHost(), server.getPort());
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      Link link = new Link(client, upstream, filters.get());
      links.add(link);
      if (conduct == Conduct.REFUSE) {
        link.reset();
      }
      Thread.ofVirtual().start(() -> pump(link, Way.TO_SERVER));
      pump(link, Way.TO_CLIENT);
    } catch (IOException away) {
      resetQuietly(client);
    }
  }

  private void pump(Link link, Way way) {
    Socket from = way == Way.TO_SERVER ? link.client : link.upstream;
    Socket to = way == Way.TO_SERVER ? link.upstream : link.client;
    byte[] buffer = new byte[CHUNK];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (passes(link, way)) {
          byte[] bytes = Arrays.copyOf(buffer, n);
          if (way == Way.TO_SERVER) {
            to.getOutputStream().write(link.filter.toServer(bytes));
          } else {
            answer(link, link.filter.toClient(bytes));
          }
        }
      }
      await(link);
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

  /// Waits as long as bytes, and the end of them, are held.
  private void await(Link link) throws InterruptedException {
    while ((link.silent || conduct == Conduct.HOLD) && !link.ended) {
      Thread.sleep(20);
    }
  }

  /// Whether bytes go on.
  private boolean passes(Link link, Way way) throws InterruptedException {
    await(link);
    boolean lost =
        switch (conduct) {
          case LOSE_ALL -> true;
          case LOSE_REQUESTS -> way == Way.TO_SERVER;
          case LOSE_ANSWERS -> way == Way.TO_CLIENT;
          case PASS, HOLD, REFUSE -> false;
        };
    link.lossy |= lost;
    return !lost;
  }

  private static void answer(Link link, byte[] bytes) throws IOException {
    long left = link.cutAfter;
    int length = (int) Math.min(bytes.length, left);
    link.client.getOutputStream().write(bytes, 0, length);
    if (left != NO_CUT) {
      link.cutAfter = left - length;
      if (left == length) {
        throw new IOException("cut");
      }
    }
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
    conduct(Conduct.REFUSE);
  }

  private static final class Link {
    final Socket client;
    final Socket upstream;
    final Filter filter;
    volatile long cutAfter = NO_CUT;
    volatile boolean lossy;
    volatile boolean silent;
    volatile boolean ended;

    Link(Socket client, Socket upstream, Filter filter) {
      this.client = client;
      this.upstream = upstream;
      this.filter = filter;
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
