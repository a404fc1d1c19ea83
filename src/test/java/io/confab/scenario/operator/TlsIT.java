package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.config.TlsMode;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.Certificates;
import io.confab.testing.Position;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that speaks TLS itself, beside one that does not.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsIT {
  private static final int TALK = 300;

  private final Nodes nodes = new Nodes();
  private Path folder;
  private SSLContext trusting;
  private Person alice;

  @BeforeAll
  void start(@TempDir Path empty) throws IOException {
    folder = Certificates.make(empty.resolve("tls"), "first", "second");
    show("first");
    trusting = Certificates.trusting(folder);
    nodes.add(nodes.config());
    nodes.add(withTls());
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Config withTls() {
    return with(
        with(nodes.config(), "sockets.close_timeout", Duration.ofMinutes(2)),
        "http.tls",
        new Config.ListenerTls(
            TlsMode.FILES,
            Optional.of(folder.resolve("shown.crt")),
            Optional.of(folder.resolve("shown.key"))));
  }

  private void show(String name) throws IOException {
    for (String end : List.of(".crt", ".key")) {
      Files.copy(
          folder.resolve(name + end),
          folder.resolve("shown" + end),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private SSLSocket connect(String... protocols) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(60_000);
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    socket.startHandshake();
    return socket;
  }

  private int port() {
    return nodes.port(1);
  }

  private ChatClient live() {
    ChatClient client =
        ChatClient.open(
            nodes.vertx(),
            new WebSocketClientOptions()
                .setSsl(true)
                .setTrustOptions(
                    new PemTrustOptions().addCertPath(folder.resolve("ca.crt").toString())),
            ChatClient.endpoint(port()).addSubProtocol("confab.v1"));
    JsonObject hello = new JsonObject().put("type", "hello").put("token", alice.token());
    assertThat(client.ask(hello).getString("type")).isEqualTo("welcome");
    client.resume(true);
    return client;
  }

  @Test
  void peopleTalkOverIt() {
    String room = alice.at(nodes.port(0)).channel("secure");
    ChatClient client = live();
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < TALK; i++) {
      acks.add(client.send(room, "t" + i, "x".repeat(i * 40) + i));
    }
    acks.forEach(ack -> assertThat(ChatClient.get(ack).getString("status")).isEqualTo("sent"));
    client.awaitRev(room, TALK + 1);

    assertThat(client.bodies(room)).hasSize(TALK).allMatch(body -> !body.isEmpty());
  }

  @Test
  void theClosingHandshakeEndsWithThatOfTls() throws IOException {
    try (SSLSocket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              """
              GET /v1/socket HTTP/1.1\r
              host: localhost\r
              connection: upgrade\r
              upgrade: websocket\r
              sec-websocket-version: 13\r
              sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r
              sec-websocket-protocol: other\r
              \r
              """
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] all = readToTheEnd(socket, new byte[] {(byte) 0x88, (byte) 0x80, 1, 2, 3, 4});
      String text = new String(all, StandardCharsets.ISO_8859_1);
      assertThat(text).startsWith("HTTP/1.1 101").contains("\"code\":4503");
    }
  }

  /// Answers the close frame when it has come; an end without that of TLS is an exception.
  private static byte[] readToTheEnd(SSLSocket socket, byte[] close) throws IOException {
    var all = new java.io.ByteArrayOutputStream();
    boolean answered = false;
    for (int b; (b = socket.getInputStream().read()) >= 0; ) {
      all.write(b);
      String text = all.toString(StandardCharsets.ISO_8859_1);
      if (!answered && text.contains("4503") && text.contains("\u0088")) {
        answered = true;
        socket.getOutputStream().write(close);
      }
    }
    assertThat(answered).isTrue();
    return all.toByteArray();
  }

  @Test
  void oldVersionsAndClearTextAreNotSpoken() throws IOException {
    assertThat(connect("TLSv1.2").getSession().getProtocol()).isEqualTo("TLSv1.2");
    assertThat(connect("TLSv1.3").getSession().getProtocol()).isEqualTo("TLSv1.3");
    assertThatThrownBy(() -> connect("TLSv1.1")).isInstanceOf(IOException.class);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("GET /v1/me HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1");
    }
  }

  @Test
  void aClientCannotHaveItNegotiatedAgain() throws IOException {
    try (SSLSocket client = connect("TLSv1.2")) {
      client.startHandshake();
      client.getOutputStream().write(0);

      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    }
  }

  /// What sets the refresh token of a browser.
  private String cookie(HttpClient http) throws IOException, InterruptedException {
    JsonObject signIn =
        new JsonObject()
            .put("handle", "alice")
            .put("password", ApiClient.PASSWORD)
            .put("cookie", true);
    return http.send(
            HttpRequest.newBuilder(URI.create("https://localhost:" + port() + "/v1/tokens"))
                .timeout(Duration.ofMinutes(1))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(signIn.encode()))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .headers()
        .firstValue("set-cookie")
        .orElseThrow();
  }

  @Test
  @Position("http.tls.mode: files")
  void browsersAreToldToStayWithTls() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newBuilder().sslContext(trusting).build()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create("https://localhost:" + port() + "/v1/me"))
                  .timeout(Duration.ofMinutes(1))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(cookie(http)).contains("; Secure").contains("HTTPOnly");
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
      assertThat(answer.headers().firstValue("strict-transport-security"))
          .contains("max-age=31536000");
    }
  }

  private String shown() throws IOException {
    try (SSLSocket socket = connect()) {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }
  }

  @Test
  void anotherCertificateIsShownWithoutARestart() throws IOException {
    ChatClient open = live();
    assertThat(shown()).isEqualTo("CN=first");
    Files.copy(
        folder.resolve("second.crt"),
        folder.resolve("shown.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(shown()).as("half a change").isEqualTo("CN=first");
    show("second");
    await().ignoreExceptionsInstanceOf(SSLException.class).until(() -> shown().equals("CN=second"));

    assertThat(open.ask(new JsonObject().put("type", "ping")).getString("type")).isEqualTo("pong");
    assertThat(Nodes.metrics(nodeWithTls())).contains("confab_certificate_expires_seconds");
    show("first");
    await().ignoreExceptionsInstanceOf(SSLException.class).until(() -> shown().equals("CN=first"));
  }

  private Node nodeWithTls() {
    return nodes.node(1);
  }

  @Test
  void aKeyOfAnotherCertificateStopsTheStart(@TempDir Path other) throws IOException {
    Config config = withTls();
    Path key = Files.copy(folder.resolve("second.key"), other.resolve("other.key"));
    Config wrong =
        with(
            with(config, "http.tls.certificate", Optional.of(folder.resolve("first.crt"))),
            "http.tls.key",
            Optional.of(key));

    assertThatThrownBy(() -> Node.start(wrong).close())
        .hasMessageContaining("http.tls.certificate")
        .hasMessageContaining("http.tls.key");
  }
}
