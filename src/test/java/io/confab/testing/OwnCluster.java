package io.confab.testing;

import io.confab.redis.RedisUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// A Redis Cluster of a test's own: masters that share the slots evenly, each with one replica,
/// which takes over when the master was silent for three seconds.
public final class OwnCluster implements AutoCloseable {
  public static final int SLOTS = 16_384;

  private final List<RedisProcess> servers = new ArrayList<>();

  private OwnCluster() {}

  /// Waits until every server sees the whole cluster.
  public static OwnCluster start(int masters) {
    OwnCluster own = new OwnCluster();
    int count = 2 * masters;
    int first = Ports.freeRun(2 * count);
    for (int i = 0; i < count; i++) {
      own.servers.add(server(first + i, first + count + i));
    }
    for (int i = 0; i < masters; i++) {
      String from = "" + i * SLOTS / masters;
      String to = "" + ((i + 1) * SLOTS / masters - 1);
      own.servers.get(i).command("CLUSTER", "ADDSLOTSRANGE", from, to);
      own.servers.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
    }
    for (int i = 1; i < count; i++) {
      own.servers
          .getFirst()
          .command(
              "CLUSTER", "MEET", RedisProcess.HOST, "" + (first + i), "" + (first + count + i));
    }
    own.servers.forEach(each -> eventually().until(() -> own.knows(each) == count));
    for (int i = 0; i < masters; i++) {
      String id = own.servers.get(i).command("CLUSTER", "MYID");
      RedisProcess replica = own.servers.get(masters + i);
      eventually().until(() -> replica.command("CLUSTER", "REPLICATE", id).equals("OK"));
    }
    own.settled(masters);
    return own;
  }

  private static RedisProcess server(int port, int busPort) {
    return RedisProcess.server(
        port,
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        "" + busPort,
        "--cluster-node-timeout",
        "3000",
        "--cluster-replica-validity-factor",
        "0");
  }

  private long knows(RedisProcess server) {
    return server
        .command("CLUSTER", "NODES")
        .lines()
        .map(line -> line.split(" "))
        .filter(words -> words[7].equals("connected") && !words[2].contains("handshake"))
        .count();
  }

  /// Waits until all living servers say that all is well, and there are so many living replicas.
  public void settled(int replicas) {
    eventually()
        .until(
            () ->
                living().stream()
                    .allMatch(
                        each ->
                            each.command("CLUSTER", "INFO").contains("cluster_state:ok")
                                && replicas(each) >= replicas));
  }

  private static long replicas(RedisProcess server) {
    return server
        .command("CLUSTER", "NODES")
        .lines()
        .filter(
            line -> line.contains("slave") && !line.contains("fail") && line.endsWith(" connected"))
        .count();
  }

  private List<RedisProcess> living() {
    return servers.stream().filter(RedisProcess::isAlive).toList();
  }

  public RedisUrl url() {
    return RedisUrl.parse(address());
  }

  /// The URL as a configuration holds it; it names two of the servers.
  public String address() {
    String hosts =
        servers.stream()
            .limit(2)
            .map(each -> RedisProcess.HOST + ":" + each.port())
            .collect(Collectors.joining(","));
    return "redis+cluster://%1$s:%2$s@%3$s?script_user=%4$s&script_password=%2$s"
        .formatted(RedisProcess.WORKER, RedisProcess.ENCODED_PASSWORD, hosts, RedisProcess.LOADER);
  }

  /// The ports of the masters, as the living agree on them.
  public List<Integer> masters() {
    eventually().until(() -> living().stream().map(OwnCluster::mastersAt).distinct().count() == 1);
    return mastersAt(living().getFirst());
  }

  private static List<Integer> mastersAt(RedisProcess server) {
    return server
        .command("CLUSTER", "NODES")
        .lines()
        .map(line -> line.split(" "))
        .filter(words -> words.length > 8 && words[2].contains("master"))
        .filter(words -> !words[2].contains("fail"))
        .map(words -> Integer.valueOf(words[1].replaceAll(".*:([0-9]+)@.*", "$1")))
        .sorted()
        .toList();
  }

  /// The port of the master of a slot.
  public int masterOf(int slot) {
    return masters().stream()
        .filter(port -> Arrays.stream(slots(port)).anyMatch(each -> each == slot))
        .findFirst()
        .orElseThrow();
  }

  private int[] slots(int port) {
    String[] words =
        server(port)
            .command("CLUSTER", "NODES")
            .lines()
            .filter(line -> line.contains("myself"))
            .findFirst()
            .orElseThrow()
            .split(" ");
    return Arrays.stream(words)
        .skip(8)
        .filter(range -> !range.startsWith("["))
        .map(range -> range.split("-"))
        .flatMapToInt(
            ends ->
                IntStream.rangeClosed(
                    Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])))
        .toArray();
  }

  /// Waits until this server is no master any more, whether it lives or not.
  public void replaced(int port) {
    eventually()
        .until(
            () ->
                living().stream()
                    .filter(each -> each.port() != port)
                    .allMatch(
                        each ->
                            mastersAt(each).size() * 2 == servers.size()
                                && !mastersAt(each).contains(port)
                                && each.command("CLUSTER", "INFO").contains("cluster_state:ok")));
  }

  /// Begins to move a slot: until it is done, keys that are not there any more are at the other.
  public void beginMove(int slot, int from, int to) {
    server(to).command("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", id(from));
    server(from).command("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", id(to));
  }

  /// Moves a key of a slot that is moving.
  public void moveKey(String key, int from, int to) {
    server(from)
        .command(
            "MIGRATE",
            RedisProcess.HOST,
            "" + to,
            key,
            "0",
            "30000",
            "AUTH",
            RedisProcess.PASSWORD);
  }

  public void endMove(int slot, int from, int to) {
    String id = id(to);
    server(to).command("CLUSTER", "SETSLOT", "" + slot, "NODE", id);
    server(from).command("CLUSTER", "SETSLOT", "" + slot, "NODE", id);
  }

  /// Moves every second slot, one after the other; no keys.
  public void moveHalf(int from, int to) {
    String source = id(from);
    String target = id(to);
    try (RespConnection there = server(to).connect();
        RespConnection here = server(from).connect()) {
      for (int slot : slots(from)) {
        if (slot % 2 == 0) {
          there.command("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", source);
          here.command("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", target);
          there.command("CLUSTER", "SETSLOT", "" + slot, "NODE", target);
          here.command("CLUSTER", "SETSLOT", "" + slot, "NODE", target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String id(int port) {
    return server(port).command("CLUSTER", "MYID");
  }

  public void kill(int port) {
    server(port).kill();
  }

  public void freeze(int port) {
    server(port).freeze();
  }

  public void thaw(int port) {
    server(port).thaw();
  }

  public void startAgain(int port) {
    server(port).startAgain();
  }

  public String command(int port, String... words) {
    return server(port).command(words);
  }

  private RedisProcess server(int port) {
    return servers.stream().filter(each -> each.port() == port).findFirst().orElseThrow();
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().ignoreExceptions().pollInterval(Duration.ofMillis(50));
  }

  @Override
  public void close() {
    servers.forEach(RedisProcess::close);
  }
}
