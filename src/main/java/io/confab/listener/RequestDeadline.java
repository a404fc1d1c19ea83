package io.confab.listener;

import io.confab.config.Config;
import io.confab.time.AwakeTime;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Closes connections whose requests arrive too slowly. Vert.x notices silence; this class notices
/// clients that send a byte now and then: the first request's head must arrive within
/// `http.request_timeout`, every later head, and each body, within that plus
/// `http.idle_timeout`. What came while this node slept is read before the next look, and a sleep
/// counts as the time between two. Belongs to one event loop.
public final class RequestDeadline {
  /// How often it is looked at.
  public static final Duration SWEEP = Duration.ofMillis(500);

  private final Duration first;
  private final Duration later;
  private final LongSupplier nanoTime;
  private final AwakeTime awake;
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
    this.awake = new AwakeTime(SWEEP, nanoTime.getAsLong());
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

  /// The connection with this peer is a WebSocket now and no longer watched here.
  public void upgraded(SocketAddress peer) {
    connections.remove(peer);
  }

  private void await(HttpConnection connection, Duration time, @Nullable HttpServerRequest last) {
    long deadline = awake.at(nanoTime.getAsLong()) + time.plus(SWEEP).toNanos();
    connections.put(connection.remoteAddress(), new Awaited(connection, deadline, last));
  }

  /// To be called every [#SWEEP]. While the client waits for an answer, its time starts anew.
  public void sweep() {
    long now = awake.look(nanoTime.getAsLong());
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
