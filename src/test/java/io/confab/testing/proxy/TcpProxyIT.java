package io.confab.testing.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a proxy does to connections.
@Timeout(120)
class TcpProxyIT {
  @Test
  void silentConnectionsStandStillWhileNewOnesWork() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        TcpProxy proxy =
            TcpProxy.before("http://127.0.0.1:" + server.getLocalPort(), Filter::none);
        Socket old = connect(proxy);
        Socket oldServed = server.accept()) {
      oldServed.getOutputStream().write('a');
      assertThat(old.getInputStream().read()).isEqualTo('a');

      assertThat(proxy.silence()).isEqualTo(1);
      oldServed.getOutputStream().write('b');
      oldServed.close();

      try (Socket next = connect(proxy);
          Socket nextServed = server.accept()) {
        next.getOutputStream().write('c');
        assertThat(nextServed.getInputStream().read()).isEqualTo('c');
        assertThat(old.getInputStream().available()).isZero();

        proxy.heal();
        assertThatThrownBy(() -> old.getInputStream().read()).isInstanceOf(SocketException.class);
        nextServed.getOutputStream().write('d');
        assertThat(next.getInputStream().read()).isEqualTo('d');
      }
    }
  }

  private static Socket connect(TcpProxy proxy) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }
}
