package io.confab.http;

import io.confab.config.Config;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Closes connections that bring their requests too slowly. Silence is noticed by Vert.x; this
/// notices those who send a byte now and then: the first request's head must be there within
/// `http.request_timeout`, every later one, and the body of each, within that and
/// `http.idle_timeout`. An upgraded connection is no concern of this class. Belongs to one event
/// loop.
public final class RequestDeadline {
  private final Duration head;
  private final Duration rest;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, Awaited> connections = new LinkedHashMap<>();

  private record Awaited(long deadline, @Nullable HttpServerRequest last) {
    /// Whether it is not the client for whom it waits.
    boolean isAnswered() {
      return last != null && last.isEnded() && !last.response().ended();
    }
  }

  public RequestDeadline(Config.Http config, LongSupplier nanoTime) {
    this.head = config.requestTimeout();
    this.rest = config.requestTimeout().plus(config.idleTimeout());
    this.nanoTime = nanoTime;
  }

  /// A client has connected.
  public void opened(HttpConnection connection) {
    await(connection, head, null);
    connection.closeHandler(_ -> connections.remove(connection));
  }

  /// The head of a request has come.
  public void received(HttpServerRequest request) {
    await(request.connection(), rest, request);
  }

  private void await(HttpConnection connection, Duration time, @Nullable HttpServerRequest last) {
    connections.put(connection, new Awaited(nanoTime.getAsLong() + time.toNanos(), last));
  }

  /// To be called about once a second.
  public void sweep() {
    long now = nanoTime.getAsLong();
    Iterator<Map.Entry<HttpConnection, Awaited>> all = connections.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<HttpConnection, Awaited> entry = all.next();
      if (now - entry.getValue().deadline() >= 0 && !entry.getValue().isAnswered()) {
        all.remove();
        end(entry.getKey());
      }
    }
  }

  private static void end(HttpConnection connection) {
    var channel = ((HttpServerConnection) connection).channelHandlerContext();
    if (!channel.isRemoved()) { // else it is a WebSocket's now
      channel.close();
    }
  }
}
