package io.confab.chaos;

import io.confab.fault.NodeProcess;
import io.confab.testing.Ports;
import io.confab.testing.proxy.AckFilter;
import io.confab.testing.proxy.Drops;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.PublishFilter;
import io.confab.testing.proxy.TcpProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One node and the ways to and from it, each of which can fail by itself: those of its clients, to
/// Redis and to PostgreSQL. For one thread, but for what it says it is.
final class Machine implements AutoCloseable {
  /// One fault after the other may meet a start.
  private static final int TRIES = 12;

  private static final int PORTS = 3;

  private final String name;
  private final Path folder;
  private final int port;
  private final Map<String, String> variables;
  private final Drops acks = new Drops();
  private final Drops publications = new Drops();
  private final TcpProxy clients;
  private final TcpProxy redis;
  private final TcpProxy postgres;
  private volatile @Nullable NodeProcess process;
  private volatile boolean struck;

  /// @param port where the node listens
  Machine(String name, Path folder, int port, Servers servers, Map<String, String> variables) {
    this.name = name;
    this.folder = folder;
    this.port = port;
    this.clients = TcpProxy.before("http://127.0.0.1:" + port, () -> new AckFilter(acks));
    this.redis = TcpProxy.before(servers.redisUrl(), () -> new PublishFilter(this::isDropped));
    this.postgres = TcpProxy.before(servers.postgresUrl(), Filter::none);
    this.variables = new HashMap<>(variables);
    this.variables.put("CONFAB_NODE_ID", name);
    this.variables.putIfAbsent("CONFAB_REDIS_URL", redis.url());
    this.variables.putIfAbsent("CONFAB_POSTGRES_URL", postgres.url());
  }

  /// Several that know each other, on free ports.
  ///
  /// @param variables of all of them; where they name Redis or PostgreSQL, the ways there cannot
  ///     fail
  static List<Machine> cluster(
      Path folder, int nodes, Servers servers, Map<String, String> variables) {
    int first = Ports.freeRun(PORTS * nodes);
    List<String> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      members.add("127.0.0.1:" + (first + PORTS * i + 1));
    }
    List<Machine> machines = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      int port = first + PORTS * i;
      Map<String, String> its = new HashMap<>(variables);
      its.put("CONFAB_CLUSTER_ENABLED", "true");
      its.put("CONFAB_CLUSTER_PORT", Integer.toString(port + 1));
      its.put("CONFAB_CLUSTER_BUS_PORT", Integer.toString(port + 2));
      its.put("CONFAB_CLUSTER_MEMBERS", String.join(",", members));
      its.put("CONFAB_PERSISTENCE_WRITERS", i == 0 ? "1" : "2"); // whatever the machine
      its.put("CONFAB_API_KEY", Stage.API_KEY);
      its.put("CONFAB_ACCOUNTS_ACCESS_TOKEN_TTL", "1d");
      String name = "n" + (i + 1);
      machines.add(new Machine(name, folder.resolve(name), port, servers, its));
    }
    return machines;
  }

  /// Nodes publish other things too, by which they notice what is lost.
  private boolean isDropped(String channel) {
    return channel.startsWith("room:") && publications.take();
  }

  /// Whether a fault is under way that somebody connected to the node is to notice.
  boolean isStruck() {
    return struck;
  }

  void struck(boolean is) {
    struck = is;
  }

  String name() {
    return name;
  }

  /// Where clients connect to: the way that may fail.
  int door() {
    return clients.port();
  }

  /// Past all that may fail.
  int port() {
    return port;
  }

  /// Where the members of the cluster reach it.
  int clusterPort() {
    return port + 1;
  }

  /// Where their commands reach it.
  int busPort() {
    return port + 2;
  }

  Drops acks() {
    return acks;
  }

  Drops publications() {
    return publications;
  }

  TcpProxy clients() {
    return clients;
  }

  TcpProxy redis() {
    return redis;
  }

  TcpProxy postgres() {
    return postgres;
  }

  /// Of the node's process as it runs now.
  NodeProcess process() {
    NodeProcess running = process;
    if (running == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return running;
  }

  boolean isRunning() {
    NodeProcess running = process;
    return running != null && running.isAlive();
  }

  /// Answers when it serves; tries again while what it needs is away.
  void start() {
    start(List.of());
  }

  /// @param options for the JVM
  void start(List<String> options) {
    AssertionError last = new AssertionError("not tried");
    for (int i = 0; i < TRIES; i++) {
      try {
        process = NodeProcess.start(options, folder, port, variables);
        return;
      } catch (AssertionError notYet) {
        last = notYet;
      }
    }
    throw last;
  }

  /// With other classes before those of the jar, in place of what ran before. Does not wait.
  ///
  /// @param options for the JVM
  NodeProcess startChanged(Path classes, List<String> options) {
    NodeProcess running = process;
    if (running != null) {
      running.close();
    }
    NodeProcess changed = NodeProcess.changed(classes, options, folder, port, variables);
    process = changed;
    return changed;
  }

  /// As `kill -9`.
  void kill() {
    NodeProcess running = process();
    running.kill();
    running.close();
  }

  void freeze() {
    signal("STOP");
  }

  void thaw() {
    signal("CONT");
  }

  private void signal(String signal) {
    ProcessHandle.of(process().pid()).ifPresent(handle -> NodeProcess.signal(handle, signal));
  }

  /// All that is done to its ways ends; what was swallowed stays lost.
  void heal() {
    acks.disarm();
    publications.disarm();
    List.of(clients, redis, postgres).forEach(TcpProxy::heal);
  }

  @Override
  public void close() {
    NodeProcess running = process;
    if (running != null) {
      running.close();
    }
    Set.of(clients, redis, postgres).forEach(TcpProxy::close);
  }
}
