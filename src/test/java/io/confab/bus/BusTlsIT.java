package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Question.Reply;
import io.confab.config.NodeRole;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.testing.Certificates;
import io.confab.testing.Futures;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that prove themselves to each other, and one that cannot.
@Timeout(240)
class BusTlsIT {
  private static final BusKey KEY = new BusKey(new byte[32]);
  private static final int NODES = 3;

  private final int firstPort = Ports.freeRun(NODES + 1);
  private final Set<Clustering.Joined> nodes = new HashSet<>();

  @AfterEach
  void close() {
    nodes.forEach(node -> Futures.get(node.vertx().close()));
  }

  private io.confab.config.Config.Cluster config(int index, Optional<Path> certificates) {
    List<String> members =
        List.of(
            "127.0.0.1:" + firstPort,
            "127.0.0.1:" + (firstPort + 1),
            "127.0.0.1:" + (firstPort + 2));
    return TestConfig.cluster(true, firstPort + index, members, certificates);
  }

  private Bus join(int index, int lanes, Optional<Path> certificates) {
    Map<NodeRole, Integer> roles = lanes == 0 ? Map.of() : Map.of(NodeRole.ROUTING, lanes);
    Clustering.Joined joined =
        Futures.get(
            Clustering.join(
                options -> Vertx.builder().with(options),
                config(index, certificates),
                KEY,
                new Peer(new NodeId("node-" + index), roles)));
    nodes.add(joined);
    Bus bus = new Bus(joined.vertx(), joined.peers(), KEY, _ -> {});
    for (int lane = 0; lane < lanes; lane++) {
      Futures.get(
          bus.serve(
              Question.ADDRESS,
              lane,
              question -> Future.succeededFuture(new Reply(index + "/" + question.number()))));
    }
    return bus;
  }

  private static Future<Reply> ask(Bus bus, int number) {
    return bus.request(new Question(number));
  }

  @Test
  void nodesWithACertificateTalkAndOneWithoutDoesNotGetIn(@TempDir Path folder) {
    Path ours = Certificates.make(folder.resolve("ours"), "node");
    Path others = Certificates.make(folder.resolve("others"), "node");
    join(0, 1, Optional.of(ours));
    Bus asking = join(1, 0, Optional.of(ours));
    await()
        .ignoreExceptionsInstanceOf(Refusal.class)
        .until(() -> Futures.get(ask(asking, 7)).text().equals("0/7"));

    Bus stranger = join(2, 0, Optional.of(others));
    assertThat(Futures.refusal(ask(stranger, 8))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(Futures.get(ask(asking, 9)).text()).isEqualTo("0/9");
  }

  @Test
  void theBusTakesNoConnectionWithoutACertificateOfItsAuthority(@TempDir Path folder) {
    Path ours = Certificates.make(folder.resolve("ours"), "node");
    Path others = Certificates.make(folder.resolve("others"), "node");
    int port = firstPort + NODES;
    io.confab.config.Config.Cluster base = config(0, Optional.of(ours));
    Clustering.Joined node =
        Futures.get(
            Clustering.join(
                options -> Vertx.builder().with(options),
                new io.confab.config.Config.Cluster(
                    true, base.host(), base.port(), port, base.members(), false, base.tls()),
                KEY,
                new Peer(new NodeId("node-0"), Map.of())));
    nodes.add(node);
    assertThat(closes(node, tls(ours).setKeyCertOptions(pem(others)), port)).isTrue();
    assertThat(closes(node, tls(ours), port)).isTrue();
    assertThat(closes(node, new NetClientOptions(), port)).isTrue();
  }

  private static NetClientOptions tls(Path trusted) {
    return new NetClientOptions()
        .setSsl(true)
        .setHostnameVerificationAlgorithm("")
        .setTrustOptions(new PemTrustOptions().addCertPath(trusted.resolve("ca.crt").toString()));
  }

  private static PemKeyCertOptions pem(Path folder) {
    return new PemKeyCertOptions()
        .setCertPath(folder.resolve("node.crt").toString())
        .setKeyPath(folder.resolve("node.key").toString());
  }

  /// Whether the bus ends the connection. With TLS 1.3 a client hears that its certificate is
  /// refused after its own part of the handshake.
  private static boolean closes(Clustering.Joined node, NetClientOptions options, int port) {
    return Futures.get(
        node.vertx()
            .createNetClient(options)
            .connect(port, "127.0.0.1")
            .compose(
                socket -> {
                  Promise<Boolean> closed = Promise.promise();
                  socket.exceptionHandler(_ -> closed.tryComplete(true));
                  socket.closeHandler(_ -> closed.tryComplete(true));
                  socket.write("no message of a node");
                  return closed.future();
                })
            .otherwise(true));
  }
}
