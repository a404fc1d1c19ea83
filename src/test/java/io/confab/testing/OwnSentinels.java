package io.confab.testing;

import io.confab.redis.RedisUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// A Redis master, its replicas and three sentinels of a test's own, that fail over when a master
/// was silent for two seconds: twice the period of their pings, so that a master that was named a
/// moment ago is not taken for a dead one before it was asked.
public final class OwnSentinels implements AutoCloseable {
  /// How long to wait for a fail-over: a sentinel that stood still for two seconds decides nothing
  /// for half a minute after that (TILT mode).
  public static final Duration LIMIT = Duration.ofMinutes(4);

  private static final int SENTINELS = 3;
  private static final String NAME = "confab";
  private static final int NONE = 0;

  private final List<RedisProcess> servers = new ArrayList<>();
  private final List<RedisProcess> sentinels = new ArrayList<>();

  private OwnSentinels() {}

  /// Waits until the sentinels know all there is to know.
  public static OwnSentinels start(int replicas) {
    OwnSentinels own = new OwnSentinels();
    int first = Ports.freeRun(1 + replicas + SENTINELS);
    own.servers.add(RedisProcess.server(first));
    for (int i = 1; i <= replicas; i++) {
      own.servers.add(
          RedisProcess.server(first + i, "--replicaof", RedisProcess.HOST + " " + first));
    }
    for (int i = 0; i < SENTINELS; i++) {
      own.sentinels.add(RedisProcess.sentinel(first + 1 + replicas + i, configuration(first)));
    }
    for (RedisProcess sentinel : own.sentinels) {
      eventually().until(() -> own.knowsAll(sentinel));
    }
    return own;
  }

  private static String configuration(int master) {
    return """
    sentinel monitor %1$s 127.0.0.1 %2$d 2
    sentinel auth-pass %1$s "%3$s"
    sentinel sentinel-pass "%3$s"
    sentinel down-after-milliseconds %1$s 2000
    sentinel failover-timeout %1$s 4000
    sentinel parallel-syncs %1$s 2
    """
        .formatted(NAME, master, RedisProcess.PASSWORD);
  }

  private boolean knowsAll(RedisProcess sentinel) {
    List<String> facts = sentinel.command("SENTINEL", "MASTER", NAME).lines().toList();
    return fact(facts, "flags").equals("master")
        && fact(facts, "num-slaves").equals("" + (servers.size() - 1))
        && fact(facts, "num-other-sentinels").equals("" + (SENTINELS - 1));
  }

  private static String fact(List<String> facts, String name) {
    return facts.get(facts.indexOf(name) + 1);
  }

  public RedisUrl url() {
    return RedisUrl.parse(address());
  }

  /// The URL as a configuration holds it.
  public String address() {
    String hosts =
        sentinels.stream()
            .map(each -> RedisProcess.HOST + ":" + each.port())
            .collect(Collectors.joining(","));
    return ("redis+sentinel://%1$s:%2$s@%3$s/0?master=%4$s&sentinel_password=%2$s"
            + "&script_user=%5$s&script_password=%2$s")
        .formatted(
            RedisProcess.WORKER, RedisProcess.ENCODED_PASSWORD, hosts, NAME, RedisProcess.LOADER);
  }

  /// The port of the master that all sentinels name.
  public int master() {
    return eventually().until(this::agreed, port -> port != NONE);
  }

  /// The port that all sentinels name now, or [#NONE].
  private int agreed() {
    List<Integer> ports = sentinels.stream().map(OwnSentinels::named).distinct().toList();
    return ports.size() == 1 ? ports.getFirst() : NONE;
  }

  private static int named(RedisProcess sentinel) {
    String answer = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
    return Integer.parseInt(answer.lines().skip(1).findFirst().orElse("" + NONE));
  }

  /// Waits until another than this is the master, knows it, and has so many replicas again. Which
  /// one it is, is asked anew each time: sentinels may fail over twice in a row.
  public int masterAfter(int former, int replicas) {
    return eventually()
        .until(this::agreed, port -> port != NONE && port != former && leads(port, replicas));
  }

  private boolean leads(int port, int replicas) {
    String info = server(port).command("INFO", "replication");
    return info.contains("role:master")
        && info.lines().filter(line -> line.contains("state=online")).count() >= replicas;
  }

  /// The port of a server that is not the master.
  public int replica() {
    int master = master();
    return servers.stream()
        .map(RedisProcess::port)
        .filter(port -> port != master)
        .findFirst()
        .orElseThrow();
  }

  /// Makes a replica a master of its own, and has sentinels name it, without a word to the former
  /// master: as if that were cut off from them all.
  ///
  /// @param which of the sentinels; none: all
  public void nameWithoutTelling(int port, int... which) {
    server(port).command("REPLICAOF", "NO", "ONE");
    int[] told = which.length == 0 ? IntStream.range(0, SENTINELS).toArray() : which;
    for (int i : told) {
      RedisProcess sentinel = sentinels.get(i);
      sentinel.command("SENTINEL", "REMOVE", NAME);
      sentinel.command("SENTINEL", "MONITOR", NAME, RedisProcess.HOST, "" + port, "2");
      sentinel.command("SENTINEL", "SET", NAME, "auth-pass", RedisProcess.PASSWORD);
    }
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

  /// A server that was killed comes back as what it was; the sentinels make it a replica.
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
    return Awaitility.await().atMost(LIMIT).ignoreExceptions().pollInterval(Duration.ofMillis(50));
  }

  @Override
  public void close() {
    sentinels.forEach(RedisProcess::close);
    servers.forEach(RedisProcess::close);
  }
}
