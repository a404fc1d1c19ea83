package io.confab.testing.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Stands between clients and a node, and cuts WebSockets: at once and without a word, or first
/// only the way back, so that what the node stores and answers is not heard of. For one thread.
public final class SocketCuts implements AutoCloseable {
  private final TcpProxy proxy;
  private final List<Filter> halfCut = new ArrayList<>();

  /// @param port of the node
  public SocketCuts(int port) {
    proxy = TcpProxy.before("http://127.0.0.1:" + port, SocketFilter::new);
  }

  public int port() {
    return proxy.port();
  }

  /// Cuts a WebSocket, if there is one, or its way back; then it is cut whole the next time.
  ///
  /// @return how many were cut
  public int cut(RandomGenerator random) {
    endCuts();
    List<SocketFilter> open =
        proxy.filters().stream()
            .map(SocketFilter.class::cast)
            .filter(filter -> filter.upgraded)
            .toList();
    if (open.isEmpty()) {
      return 0;
    }
    SocketFilter victim = open.get(random.nextInt(open.size()));
    if (random.nextBoolean()) {
      proxy.reset(victim);
    } else {
      victim.unheard = true;
      halfCut.add(victim);
    }
    return 1;
  }

  /// Cuts whole what was cut in half.
  public void endCuts() {
    halfCut.forEach(proxy::reset);
    halfCut.clear();
  }

  @Override
  public void close() {
    proxy.close();
  }

  /// Loses what the node says once that is not to be heard.
  private static final class SocketFilter implements Filter {
    private volatile boolean upgraded;
    private volatile boolean unheard;

    @Override
    public byte[] toServer(byte[] bytes) {
      upgraded |= new String(bytes, StandardCharsets.ISO_8859_1).startsWith("GET /v1/socket");
      return bytes;
    }

    @Override
    public byte[] toClient(byte[] bytes) {
      return unheard ? new byte[0] : bytes;
    }
  }
}
