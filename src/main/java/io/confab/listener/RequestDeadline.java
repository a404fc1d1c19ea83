package io.confab.listener;

import io.confab.config.Config;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Closes connections that bring their requests too slowly. Silence is noticed by Vert.x; this
/// notices those who send a byte now and then: the first request's head must be there within
/// `http.request_timeout`, every later one, and the body of each, within that and
/// `http.idle_timeout`. Belongs to one event loop.
public final class RequestDeadline {
  private final Duration first;
  private final Duration later;
  private final LongSupplier nanoTime;
  private final Map<SocketAddress, Awaited> connections = new HashMap<>();

  private record Awaited(
      HttpConnection connection, long deadline, @Nullable HttpServerRequest last) {
    boolean isBeingAnswered() {
      return last != null && last.isEnded() && !last.response().ended();
    }
  }

  public RequestDeadline(Config.Http config, LongSupplier nanoTime) {
    this.first = config.requestTimeout();
    this.later = config.requestTimeout().plus(config.idleTimeout());
    this.nanoTime = nanoTime;
  }

  /// A client has connected.
  public void opened(HttpConnection connection) {
    await(connection, first, null);
    connection.closeHandler(_ -> closed(connection));
  }

  private void closed(HttpConnection connection) {
    connections.computeIfPresent(
        connection.remoteAddress(),
        (_, awaited) -> awaited.connection().equals(connection) ? null : awaited);
  }

  /// The head of a request has come.
  public void received(HttpServerRequest request) {
    await(request.connection(), later, request);
  }

  /// The connection with this peer is a WebSocket's now and no concern of this class any more.
  public void upgraded(SocketAddress peer) {
    connections.remove(peer);
  }

  private void await(HttpConnection connection, Duration time, @Nullable HttpServerRequest last) {
    long deadline = nanoTime.getAsLong() + time.toNanos();
    connections.put(connection.remoteAddress(), new Awaited(connection, deadline, last));
  }

  /// To be called about once a second. The time of a client begins anew as long as it is the one
  /// who waits.
  public void sweep() {
    long now = nanoTime.getAsLong();
    connections.replaceAll(
        (_, awaited) ->
            awaited.isBeingAnswered()
                ? new Awaited(awaited.connection(), now + later.toNanos(), awaited.last())
                : awaited);
    List<Awaited> late =
        connections.values().stream().filter(awaited -> now - awaited.deadline() >= 0).toList();
    connections.values().removeAll(late);
    late.forEach(awaited -> awaited.connection().close());
  }
}
