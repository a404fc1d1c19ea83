package io.confab.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// Finds a free port on 127.0.0.1 below the range that Linux uses for outgoing connections, so that
/// none of these can take the port while a server is started again. It answers none twice: who was
/// given one may not listen yet.
final class FreePort {
  private static final int FROM = 15_000;
  private static final int TO = 32_000;
  private static final int TRIES = 100;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  static int find() {
    RandomGenerator random = new SecureRandom();
    for (int i = 0; i < TRIES; i++) {
      int port = random.nextInt(FROM, TO);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new EmbeddedServerException("No free port between " + FROM + " and " + TO + ".");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
