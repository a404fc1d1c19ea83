package io.confab.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Free ports in a row on 127.0.0.1, below the range of outgoing connections.
public final class Ports {
  private static final int FROM = 15_000;
  private static final int TO = 31_000;

  private Ports() {}

  /// The first of so many ports that are free now.
  public static int freeRun(int count) {
    RandomGenerator random = new SecureRandom();
    return IntStream.generate(() -> random.nextInt(FROM, TO))
        .limit(1_000)
        .filter(first -> IntStream.range(first, first + count).allMatch(Ports::isFree))
        .findFirst()
        .orElseThrow();
  }

  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
