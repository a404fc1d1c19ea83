package io.confab.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Cuts the connections between the members of the Hazelcast cluster, which know each other's
/// addresses and so take no way round: the kernel is asked to end them (`ss -K`, which needs root
/// and a kernel with INET_DIAG_DESTROY), again and again until told to stop.
final class ClusterCut {
  private static final long AGAIN_MS = 100;

  private final List<Integer> ports;
  private volatile boolean cutting;
  private final AtomicInteger ended = new AtomicInteger();

  /// @param ports of all members
  ClusterCut(List<Integer> ports) {
    this.ports = List.copyOf(ports);
  }

  /// Whether this machine can do that.
  static boolean works() {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket server = listener.accept()) {
      client.setSoTimeout(2_000);
      end(listener.getLocalPort());
      server.getOutputStream().write(1);
      return client.getInputStream().read() < 0;
    } catch (SocketTimeoutException notCut) {
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  void begin() {
    cutting = true;
    Thread.ofVirtual().name("cluster-cut").start(this::cut);
  }

  private void cut() {
    try {
      while (cutting) {
        ports.forEach(port -> ended.addAndGet(end(port)));
        Thread.sleep(AGAIN_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void end() {
    cutting = false;
  }

  /// How many were ended; empty while there were none.
  Optional<String> effect() {
    return ended.get() == 0
        ? Optional.empty()
        : Optional.of(ended.get() + " connections of the cluster ended");
  }

  private static int end(int port) {
    return count(port, "-tK");
  }

  private static int count(int port, String options) {
    List<String> command = new ArrayList<>(List.of("ss", "-H", options, "state", "established"));
    command.addAll(List.of("( sport = :" + port + " or dport = :" + port + " )"));
    return Tool.run(command.toArray(String[]::new))
        .map(text -> (int) text.lines().filter(line -> line.contains(":" + port)).count())
        .orElse(0);
  }
}
