package io.confab.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The addresses on which a process accepts TCP connections, by the tables of Linux (proc(5)).
public final class ListeningSockets {
  private static final String LISTENS = "0A";

  private ListeningSockets() {}

  public static List<InetSocketAddress> ofProcess(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> own;
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
      own = descriptors.map(ListeningSockets::target).collect(Collectors.toSet());
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(process.resolve("net").resolve(table))) {
        String[] fields = line.strip().split("\\s+", 11);
        if (fields.length > 9
            && fields[3].equals(LISTENS)
            && own.contains("socket:[" + fields[9] + "]")) {
          addresses.add(address(fields[1]));
        }
      }
    }
    return addresses;
  }

  /// A descriptor may be closed meanwhile.
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException _) {
      return "";
    }
  }

  /// Words of 32 bits in the order of the machine, and a port in that of the network.
  private static InetSocketAddress address(String field) throws IOException {
    String[] parts = field.split(":", 2);
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(parts[0]));
    for (int at = 0; at < bytes.capacity(); at += Integer.BYTES) {
      int word = bytes.getInt(at);
      bytes.putInt(
          at,
          ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(word) : word);
    }
    return new InetSocketAddress(
        InetAddress.getByAddress(bytes.array()), HexFormat.fromHexDigits(parts[1]));
  }
}
