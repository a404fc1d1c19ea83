package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.confab.bus.Question.Reply;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.config.NodeRole;
import io.confab.limit.ConnectionLimit;
import io.confab.listener.Admission;
import io.confab.listener.GuardedTransport;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.testing.Futures;
import io.confab.testing.ListeningSockets;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class ClusteringIT {
  private static final BusKey KEY = new BusKey(new byte[32]);
  private static final MemoryShares SHARES = new MemoryShares(256 << 20, 256 << 20);
  private static final int BUS_BYTES = (int) SHARES.busMessages();
  private static final int MESSAGE = 1 << 20;
  private static final BusKey OTHER_KEY = BusKey.ofThisProcess();

  private final int firstPort = Ports.freeRun(4);
  private final List<Integer> ports = List.of(firstPort, firstPort + 1, firstPort + 2);

  /// Of the first node.
  private final int busPort = firstPort + 3;

  private final Set<Clustering.Joined> nodes = new HashSet<>();

  /// By those who serve.
  private final List<BusSide> received = new CopyOnWriteArrayList<>();

  private Clustering.Joined join(int index, Map<NodeRole, Integer> lanes) {
    return join(index, KEY, lanes);
  }

  private Clustering.Joined join(int index, BusKey key, Map<NodeRole, Integer> lanes) {
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    Clustering.Joined joined =
        Futures.get(
            Clustering.join(
                ClusteringIT::guarded,
                onBusPort(
                    TestConfig.cluster(true, ports.get(index), members), index == 0 ? busPort : 0),
                key,
                new Peer(new NodeId("node-" + index), lanes)));
    nodes.add(joined);
    return joined;
  }

  /// As a node makes its Vert.x.
  private static VertxBuilder guarded(VertxOptions options) {
    Config config = TestConfig.node(Path.of("unused"));
    Admission admission = new ConnectionLimit(config, 10_000, _ -> {}, System::nanoTime);
    return Vertx.builder()
        .with(options)
        .withTransport(new GuardedTransport(config.http(), admission, SHARES));
  }

  private static Config.Cluster onBusPort(Config.Cluster config, int port) {
    return new Config.Cluster(
        config.enabled(),
        config.host(),
        config.port(),
        port,
        config.members(),
        config.privateNetwork(),
        config.tls());
  }

  private void leave(Clustering.Joined node) {
    nodes.remove(node);
    Futures.get(node.vertx().close());
  }

  @AfterEach
  void close() {
    List.copyOf(nodes).forEach(this::leave);
  }

  private void serve(Clustering.Joined node, int lanes) {
    Bus bus = new Bus(node.vertx(), node.peers(), KEY, received::add);
    for (int lane = 0; lane < lanes; lane++) {
      String name = node.peers().local().id() + "/" + lane + "/";
      Futures.get(bus.serve(Question.ADDRESS, lane, question -> answer(name, question)));
    }
  }

  private static Future<Reply> answer(String name, Question question) {
    if (question.number() < 0) {
      return Future.failedFuture(
          new Refusal(ErrorCode.RATE_LIMITED, "number", "too|low", Duration.ofSeconds(3)));
    }
    return Future.succeededFuture(new Reply(name + question.number()));
  }

  @Test
  void aNodeWithoutARoleAsksOneThatHasItForAsLongAsItLives() {
    Clustering.Joined asking = join(0, Map.of());
    Bus bus = new Bus(asking.vertx(), asking.peers(), KEY, _ -> {});
    Clustering.Joined serving = join(1, Map.of(NodeRole.ROUTING, 2));
    serve(serving, 2);
    await().until(() -> asking.peers().serving(NodeRole.ROUTING).isPresent());

    assertThat(
            IntStream.range(0, 20)
                .mapToObj(i -> ask(bus, i, i).text())
                .map(text -> text.substring(0, text.lastIndexOf('/'))))
        .containsOnly("node-1/0", "node-1/1")
        .contains("node-1/0", "node-1/1");
    assertThat(received).hasSize(20).containsOnly(BusSide.REMOTE);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> ask(bus, 1, -1));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refusal.field()).contains("number");
    assertThat(refusal.detail()).isEqualTo("too|low");
    assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(3));

    leave(serving);
    await().until(() -> asking.peers().serving(NodeRole.ROUTING).isEmpty());
    assertThat(Futures.refusal(bus.request(new Question(1)))).isEqualTo(ErrorCode.UNAVAILABLE);

    serve(join(2, Map.of(NodeRole.ROUTING, 1)), 1);
    awaitAnswer(bus, "node-2/");
  }

  @Test
  void aNodeAsksItselfFirstAndStaysWithAPeer() {
    Clustering.Joined first = join(0, Map.of(NodeRole.ROUTING, 1));
    Clustering.Joined second = join(1, Map.of(NodeRole.ROUTING, 1));
    Clustering.Joined asking = join(2, Map.of());
    serve(first, 1);
    serve(second, 1);
    Bus bus = new Bus(asking.vertx(), asking.peers(), KEY, _ -> {});
    awaitAnswer(bus, "node-");
    String chosen = ask(bus, 1, 1).text();
    assertThat(IntStream.range(0, 20).mapToObj(i -> ask(bus, i, 1).text())).containsOnly(chosen);
    assertThat(first.peers().serving(NodeRole.ROUTING)).contains(first.peers().local());
    assertThat(second.peers().serving(NodeRole.ROUTING)).contains(second.peers().local());

    leave(chosen.startsWith("node-0") ? first : second);
    awaitAnswer(bus, chosen.startsWith("node-0") ? "node-1/" : "node-0/");
  }

  @Test
  void aNodeOfAnotherInstallationIsNotLetIn() {
    Clustering.Joined ours = join(0, Map.of(NodeRole.ROUTING, 1));
    serve(ours, 1);
    Clustering.Joined others = join(1, OTHER_KEY, Map.of(NodeRole.PRESENCE, 1));
    assertThat(others.peers().serving(NodeRole.ROUTING)).isEmpty();
    assertThat(ours.peers().serving(NodeRole.PRESENCE)).isEmpty();
  }

  /// Hazelcast as it is, by somebody who learned the name of the cluster and not its key.
  @Test
  void aMemberWithoutTheKeyStaysAlone() {
    Clustering.Joined ours = join(0, Map.of(NodeRole.ROUTING, 1));
    serve(ours, 1);
    com.hazelcast.config.Config config =
        Clustering.hazelcast(
            TestConfig.cluster(
                true,
                ports.get(1),
                List.of("127.0.0.1:" + ports.getFirst(), "127.0.0.1:" + ports.get(1))),
            KEY);
    HazelcastInstance stranger = Hazelcast.newHazelcastInstance(config);
    try {
      assertThat(stranger.getCluster().getMembers()).hasSize(1);
      Clustering.Joined asking = join(2, Map.of());
      awaitAnswer(new Bus(asking.vertx(), asking.peers(), KEY, _ -> {}), "node-0/");
      assertThat(stranger.getCluster().getMembers()).hasSize(1);
    } finally {
      stranger.shutdown();
    }
  }

  /// A packet names the class that Hazelcast is to make: of a stranger nothing is read.
  @Test
  void ofAStrangerNothingIsRead() throws IOException {
    join(0, Map.of());
    try (Socket stranger = stranger()) {
      stranger.getOutputStream().write(head(BoundedMember.PACKET_BYTES));
      stranger.getOutputStream().write(new byte[2 * 32]);
      awaitEnd(stranger);
    }
  }

  @Test
  void whoIsInTheClusterWithoutTheKeyIsNotServed() {
    serve(join(0, Map.of(NodeRole.ROUTING, 1)), 1);
    Clustering.Joined within = join(1, Map.of());
    Bus forger = new Bus(within.vertx(), within.peers(), OTHER_KEY, _ -> {});
    await().until(() -> within.peers().serving(NodeRole.ROUTING).isPresent());
    assertThat(Futures.refusal(forger.request(new Question(1)))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(received).isEmpty();
  }

  @Test
  void noHazelcastClientIsTaken() {
    join(0, Map.of());
    ClientConfig client = new ClientConfig().setClusterName(KEY.clusterName());
    client.getNetworkConfig().addAddress("127.0.0.1:" + ports.getFirst());
    client
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(0);
    client.setProperty("hazelcast.logging.type", "slf4j");
    assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(client))
        .isInstanceOf(IllegalStateException.class);
  }

  /// By the table of the kernel.
  @Test
  void aNodeListensOnItsAddressAlone() throws IOException {
    join(0, Map.of());
    assertThat(ListeningSockets.ofProcess(ProcessHandle.current().pid()))
        .filteredOn(socket -> List.of(ports.getFirst(), busPort).contains(socket.getPort()))
        .extracting(InetSocketAddress::getAddress)
        .containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.1"));
  }

  /// Fifteen bytes once ended a node: as much memory was taken as they asked for.
  @ParameterizedTest
  @ValueSource(ints = {-1, BoundedMember.PACKET_BYTES + 1, Integer.MAX_VALUE})
  void aPacketThatSaysItIsTooLongEndsItsConnectionAlone(int length) throws IOException {
    Clustering.Joined ours = join(0, Map.of(NodeRole.ROUTING, 1));
    serve(ours, 1);
    try (Socket member = member()) {
      member.getOutputStream().write(head(length));
      awaitEnd(member);
    }
    Clustering.Joined asking = join(1, Map.of());
    awaitAnswer(new Bus(asking.vertx(), asking.peers(), KEY, _ -> {}), "node-0/");
  }

  /// Beyond the largest message of the bus, or beyond what all unfinished ones may take together.
  @Test
  void strangersAtTheBusMakeANodeHoldOnlySoMuch() throws IOException {
    Clustering.Joined ours = join(0, Map.of(NodeRole.ROUTING, 1));
    serve(ours, 1);
    try (Socket stranger = stranger(busPort)) {
      stranger.getOutputStream().write(ByteBuffer.allocate(4).putInt(BUS_BYTES).array());
      awaitEnd(stranger);
    }
    byte[] part = ByteBuffer.allocate(4 + MESSAGE).putInt(MESSAGE + 1).array();
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i <= BUS_BYTES / MESSAGE; i++) {
        strangers.add(stranger(busPort));
        strangers.getLast().getOutputStream().write(part);
      }
      await().until(() -> strangers.stream().anyMatch(ClusteringIT::hasEnded));
      Clustering.Joined asking = join(1, Map.of());
      awaitAnswer(new Bus(asking.vertx(), asking.peers(), KEY, _ -> {}), "node-0/");
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void connectionsBeyondTheBoundAreClosedAndTakeNoPlaceForGood() throws IOException {
    Clustering.Joined ours = join(0, Map.of(NodeRole.ROUTING, 1));
    serve(ours, 1);
    List<Socket> members = new ArrayList<>();
    try {
      for (int i = 0; i < BoundedMember.CONNECTIONS + 4; i++) {
        members.add(member());
      }
      // Which ones end depends on whether a pause made the server's side of others late.
      await()
          .atMost(Duration.ofSeconds(90))
          .until(
              () ->
                  members.stream().filter(member -> !hasEnded(member)).count()
                      <= BoundedMember.CONNECTIONS);
    } finally {
      for (Socket member : members) {
        member.close();
      }
    }
    Clustering.Joined asking = join(1, Map.of());
    awaitAnswer(new Bus(asking.vertx(), asking.peers(), KEY, _ -> {}), "node-0/");
  }

  /// Who has the key, and then behaves badly. A handshake that a pause of this JVM made late is
  /// begun anew.
  private Socket member() throws IOException {
    while (true) {
      Socket socket = stranger();
      try {
        new MemberHandshake(KEY.membership(), Duration.ofSeconds(60)).onConnect(socket);
        socket.setSoTimeout(90_000);
        return socket;
      } catch (IOException late) {
        socket.close();
      }
    }
  }

  private Socket stranger() throws IOException {
    return stranger(ports.getFirst());
  }

  private static Socket stranger(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(90_000);
    return socket;
  }

  /// As Hazelcast begins a connection and a packet.
  private static byte[] head(int length) {
    return ByteBuffer.allocate(14)
        .put("HZC".getBytes(StandardCharsets.US_ASCII))
        .put((byte) 4)
        .putChar('\0')
        .putInt(-1)
        .putInt(length)
        .array();
  }

  private static boolean hasEnded(Socket socket) {
    try {
      socket.setSoTimeout(1);
      while (socket.getInputStream().read() >= 0) {
        // what Hazelcast says of itself to a member, and never to a stranger
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private static void awaitEnd(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // what Hazelcast says of itself
      }
    } catch (SocketException _) {
      // it was reset
    }
  }

  private static void awaitAnswer(Bus bus, String from) {
    await().until(() -> ask(bus, 1, 1).text().startsWith(from));
  }

  /// Asks again while nobody answers: one lane may be known before another.
  private static Reply ask(Bus bus, long key, int number) {
    return await()
        .ignoreExceptionsMatching(ClusteringIT::isUnavailable)
        .until(() -> Futures.get(bus.request(new Question(number, key))), _ -> true);
  }

  private static boolean isUnavailable(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() == ErrorCode.UNAVAILABLE;
  }
}
