package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.config.ConfigLoader;
import io.confab.http.ApiServer;
import io.confab.testing.Certificates;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients may ask of TLS, and what not.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsParametersIT {
  private static final int ALERT = 21;
  private static final int FATAL = 2;

  private ApiServer api;
  private SSLContext trusting;

  @BeforeAll
  void start(@TempDir Path empty) {
    Path folder = Certificates.make(empty.resolve("tls"), "node");
    trusting = Certificates.trusting(folder);
    api =
        new ApiServer(
            new ConfigLoader(Map.of())
                .load(
                    null,
                    Map.of(
                        "http.port",
                        "0",
                        "http.tls.mode",
                        "files",
                        "http.tls.certificate",
                        folder.resolve("node.crt").toString(),
                        "http.tls.key",
                        folder.resolve("node.key").toString()))
                .config());
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private SSLSocket client(String protocol) throws IOException {
    SSLSocket client =
        (SSLSocket) trusting.getSocketFactory().createSocket(api.connect(), "localhost", 0, true);
    client.setEnabledProtocols(new String[] {protocol});
    return client;
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bothVersionsEncryptAndAuthenticateAtOnce(String protocol) throws IOException {
    try (SSLSocket client = client(protocol)) {
      client.startHandshake();

      assertThat(client.getSession().getProtocol()).isEqualTo(protocol);
      assertThat(client.getSession().getCipherSuite()).containsAnyOf("_GCM_", "_POLY1305_");
    }
  }

  @Test
  void suitesOfCbcAreRefused() throws IOException {
    try (SSLSocket client = client("TLSv1.2")) {
      client.setEnabledCipherSuites(
          Arrays.stream(client.getSupportedCipherSuites())
              .filter(suite -> suite.contains("_CBC_"))
              .toArray(String[]::new));

      assertThat(client.getEnabledCipherSuites()).hasSizeGreaterThan(3);
      assertThatThrownBy(client::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  /// Clients of today do not even ask for them.
  @ParameterizedTest
  @ValueSource(ints = {0x0300, 0x0301, 0x0302})
  void oldVersionsAreRefused(int version) throws IOException {
    try (Socket client = api.connect()) {
      client.getOutputStream().write(hello((short) version));
      DataInputStream in = new DataInputStream(client.getInputStream());

      assertThat(in.readUnsignedByte()).isEqualTo(ALERT);
      in.skipNBytes(4);
      assertThat(in.readUnsignedByte()).isEqualTo(FATAL);
    }
  }

  /// A `ClientHello` (RFC 4346 §7.4.1.2) with suites of its time.
  private static byte[] hello(short version) {
    short[] suites = {(short) 0xC009, (short) 0xC00A, (short) 0xC013, (short) 0xC014, 0x002F};
    ByteBuffer body = ByteBuffer.allocate(41 + 2 * suites.length);
    body.putShort(version).put(new byte[32]).put((byte) 0).putShort((short) (2 * suites.length));
    for (short suite : suites) {
      body.putShort(suite);
    }
    body.put((byte) 1).put((byte) 0); // no compression
    int length = body.position();
    ByteBuffer record = ByteBuffer.allocate(9 + length);
    record.put((byte) 22).putShort(version).putShort((short) (4 + length));
    record.put((byte) 1).put((byte) 0).putShort((short) length).put(body.flip());
    return Arrays.copyOf(record.array(), record.position());
  }
}
