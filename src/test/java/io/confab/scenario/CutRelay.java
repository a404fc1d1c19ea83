package io.confab.scenario;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/// Stands between clients and a node, and cuts WebSockets: at once and without a word, or first
/// only the way back, so that what the node stores and answers is not heard of.
public final class CutRelay {
  private final NetServer listener;
  private final List<Pair> sockets = new CopyOnWriteArrayList<>();
  private final List<Pair> halfCut = new ArrayList<>();

  private CutRelay(NetServer listener) {
    this.listener = listener;
  }

  private record Pair(NetSocket client, NetSocket node) {
    void close() {
      client.close();
      node.close();
    }
  }

  public static CutRelay before(Vertx vertx, int port) {
    NetClient dialer = vertx.createNetClient();
    NetServer listener =
        vertx.createNetServer(
            new NetServerOptions().setHost("127.0.0.1").setPort(0).setSoLinger(0));
    CutRelay relay = new CutRelay(listener);
    listener.connectHandler(
        client -> {
          client.pause();
          dialer
              .connect(port, "127.0.0.1")
              .onSuccess(node -> relay.join(client, node))
              .onFailure(_ -> client.close());
        });
    listener.listen().await();
    return relay;
  }

  public int port() {
    return listener.actualPort();
  }

  private void join(NetSocket client, NetSocket node) {
    Pair pair = new Pair(client, node);
    client.handler(
        bytes -> {
          if (isUpgrade(bytes)) {
            sockets.add(pair);
          }
          pass(bytes, client, node);
        });
    node.handler(bytes -> pass(bytes, node, client));
    client.exceptionHandler(_ -> {}); // its closing follows
    node.exceptionHandler(_ -> {});
    client.closeHandler(_ -> ended(pair));
    node.closeHandler(_ -> ended(pair));
    client.resume();
  }

  private static boolean isUpgrade(Buffer bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1).startsWith("GET /v1/socket");
  }

  private static void pass(Buffer bytes, NetSocket from, NetSocket to) {
    to.write(bytes);
    if (to.writeQueueFull()) {
      from.pause();
      to.drainHandler(_ -> from.resume());
    }
  }

  private void ended(Pair pair) {
    sockets.remove(pair);
    pair.close();
  }

  /// Cuts a WebSocket, if there is one, or its way back; then it is cut whole the next time.
  ///
  /// @return how many were cut
  public int cut(RandomGenerator random) {
    halfCut.forEach(Pair::close);
    halfCut.clear();
    List<Pair> open = List.copyOf(sockets);
    if (open.isEmpty()) {
      return 0;
    }
    Pair victim = open.get(random.nextInt(open.size()));
    if (random.nextBoolean()) {
      victim.close();
    } else {
      victim.node().handler(_ -> {});
      halfCut.add(victim);
    }
    return 1;
  }

  Future<Void> close() {
    return listener.close();
  }
}
