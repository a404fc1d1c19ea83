package io.confab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Free ports in a row on 127.0.0.1, below those that embedded servers choose and the range of
/// outgoing connections. Each JVM takes them from a block of its own, which it holds for as long as
/// it lives, and each of them once until the block was gone through: so nobody takes a port between
/// the look at it and its use.
public final class Ports {
  private static final int FROM = 10_000;
  private static final int BLOCK = 300;
  private static final int BLOCKS = 16;
  private static final FileLock CLAIM = claim();
  private static final int BEGIN = FROM + BLOCK * Math.toIntExact(CLAIM.position());
  private static int next = BEGIN;

  private Ports() {}

  /// A lock on one byte of a file for each block; it ends with the JVM, or when nobody holds it.
  @SuppressWarnings("resource")
  private static FileLock claim() {
    String name = "confab-test-ports-" + System.getProperty("user.name");
    Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      for (int block = 0; block < BLOCKS; block++) {
        FileLock lock = tryLock(channel, block);
        if (lock != null) {
          return lock;
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    throw new IllegalStateException("Every block of ports is taken.");
  }

  private static @Nullable FileLock tryLock(FileChannel channel, int block) throws IOException {
    try {
      return channel.tryLock(block, 1, false);
    } catch (OverlappingFileLockException _) {
      return null; // this class, as another loader has loaded it, holds it
    }
  }

  /// The first of so many ports that are free now.
  public static synchronized int freeRun(int count) {
    for (int tried = 0; tried < BLOCK; tried++) {
      int first = next + count <= BEGIN + BLOCK ? next : BEGIN;
      next = first + 1;
      if (IntStream.range(first, first + count).allMatch(Ports::isFree)) {
        next = first + count;
        return first;
      }
    }
    throw new IllegalStateException("No %d ports in a row are free.".formatted(count));
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
