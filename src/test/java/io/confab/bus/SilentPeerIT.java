package io.confab.bus;

import static org.awaitility.Awaitility.await;

import io.confab.bus.Question.Reply;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.testing.Futures;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The way to a peer becomes silent: the connection stays open and carries nothing.
@Timeout(240)
class SilentPeerIT {
  private static final BusKey KEY = new BusKey(new byte[32]);

  private final int firstPort = Ports.freeRun(3);
  private final int busPort = firstPort + 2;
  private final TcpProxy way = TcpProxy.before("tcp://127.0.0.1:" + busPort, Filter::none);
  private final List<Clustering.Joined> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    way.close();
    nodes.forEach(node -> Futures.get(node.vertx().close()));
  }

  private Bus join(int index, int port, int lanes, Consumer<VertxOptions> further) {
    Config.Cluster base =
        TestConfig.cluster(true, firstPort + index, List.of("127.0.0.1:" + firstPort));
    Clustering.Joined joined =
        Futures.get(
            Clustering.join(
                options -> {
                  further.accept(options);
                  return Vertx.builder().with(options);
                },
                new Config.Cluster(
                    true, base.host(), base.port(), port, base.members(), false, base.tls()),
                KEY,
                new Peer(new NodeId("node-" + index), Map.of(NodeRole.ROUTING, lanes))));
    nodes.add(joined);
    return new Bus(joined.vertx(), joined.peers(), KEY, _ -> {});
  }

  @Test
  void aNewConnectionReplacesTheSilentOne() {
    Bus serving =
        join(0, busPort, 1, own -> own.getEventBusOptions().setClusterPublicPort(way.port()));
    Futures.get(serving.serve(Question.ADDRESS, 0, _ -> Future.succeededFuture(new Reply("here"))));
    Bus asking = join(1, 0, 0, _ -> {});
    awaitAnswer(asking);

    way.silence();
    awaitAnswer(asking);
  }

  private static void awaitAnswer(Bus asking) {
    await()
        .ignoreExceptionsInstanceOf(Refusal.class)
        .until(() -> Futures.get(asking.request(new Question(1))).text().equals("here"));
  }
}
