package io.confab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A way for TCP connections to a server on this machine that can become silent: those that are
/// open then stay open for ever and carry nothing, as after a server that died without a word.
public final class StillRelay implements AutoCloseable {
  private final ServerSocket listener;
  private final int server;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private volatile boolean newOnesToo;

  public StillRelay(int server) {
    try {
      this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
      this.server = server;
      Thread.ofVirtual().start(this::listen);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /// Connections that are open now carry nothing any more; new ones do.
  public void still() {
    links.forEach(link -> link.still = true);
  }

  /// The same, and those that come until [#answer] never carry anything.
  public void stillForNewOnesToo() {
    newOnesToo = true;
    still();
  }

  /// New connections work; those that were silent remain so.
  public void answer() {
    newOnesToo = false;
  }

  /// Silent connections that the client has not closed yet.
  public long silent() {
    return links.stream().filter(link -> link.still).count();
  }

  private void listen() {
    try {
      while (true) {
        Link link = new Link(listener.accept(), new Socket("127.0.0.1", server));
        link.still = newOnesToo;
        links.add(link);
        Thread.ofVirtual().start(() -> carry(link, link.client, link.upstream));
        Thread.ofVirtual().start(() -> carry(link, link.upstream, link.client));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void carry(Link link, Socket from, Socket to) {
    byte[] buffer = new byte[16_384];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (!link.still) {
          to.getOutputStream().write(buffer, 0, n);
        }
      }
    } catch (IOException _) {
      // reset by one of the two
    } finally {
      if (!link.still || from == link.client) {
        links.remove(link);
        link.close();
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      links.forEach(Link::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Link {
    final Socket client;
    final Socket upstream;
    volatile boolean still;

    Link(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void close() {
      try {
        client.close();
        upstream.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
