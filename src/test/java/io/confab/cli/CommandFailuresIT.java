package io.confab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Certificates;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What a person is told when a command cannot reach its server or its files: a line without names
/// of Java classes.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class CommandFailuresIT {
  private final Vertx vertx;
  private final Map<String, String> environment = new HashMap<>();
  private final Path folder;
  private InputStream stdin = new ByteArrayInputStream(new byte[0]);

  CommandFailuresIT(Vertx vertx, @TempDir Path folder) {
    this.vertx = vertx;
    this.folder = folder;
    environment.put("XDG_CONFIG_HOME", folder.resolve("home").toString());
    environment.put("CONFAB_PASSWORD", "correct horse");
  }

  private String failure(String... arguments) {
    StringWriter err = new StringWriter();
    int code =
        new Confab(new RecordingProgram(), environment, stdin, Tty.NONE)
            .execute(
                new PrintWriter(new StringWriter(), true), new PrintWriter(err, true), arguments);
    assertThat(code).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).doesNotContainPattern("Exception|Error\\b|javax?\\.|io\\.");
    return err.toString().strip();
  }

  private String failureAt(String server) {
    return failure("room", "list", "--as", "ada", "--server", server);
  }

  /// On a busy machine a handshake may not be over in time.
  private void awaitFailureAt(String server, String failure) {
    await().untilAsserted(() -> assertThat(failureAt(server)).isEqualTo(failure));
  }

  private HttpServer server(HttpServerOptions options) {
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> request.response().end("Welcome to another service"))
        .listen(0, "127.0.0.1")
        .await();
  }

  private HttpServer encrypted() {
    Path made = Certificates.make(folder.resolve("authority"), "node");
    return server(
        new HttpServerOptions()
            .setSsl(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(made.resolve("node.crt").toString())
                    .setKeyPath(made.resolve("node.key").toString())));
  }

  @Test
  void aCertificateThatNobodyVouchesForIsRefused() throws IOException {
    String server = "https://localhost:" + encrypted().actualPort();

    awaitFailureAt(
        server,
        "unreachable: no server answered: TLS: no authority that this machine trusts vouches for"
            + " the server's certificate");
  }

  @Test
  void aServerWithoutTlsIsNotTakenForOneWithIt() {
    awaitFailureAt(
        "https://127.0.0.1:" + server(new HttpServerOptions()).actualPort(),
        "unreachable: no server answered: TLS: the server does not speak it on this port");
  }

  @Test
  void anotherServiceIsNoConfab() {
    assertThat(failureAt("http://127.0.0.1:" + server(new HttpServerOptions()).actualPort()))
        .contains("what came is not JSON of a Confab server");
  }

  @Test
  void aServerThatHangsUpIsLost() {
    int port =
        vertx
            .createNetServer()
            .connectHandler(socket -> socket.handler(_ -> socket.close()))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();

    assertThat(failureAt("http://127.0.0.1:" + port)).startsWith("unreachable: ");
  }

  @Test
  void aHomeThatCannotHoldASignInIsNamed() throws IOException {
    Files.writeString(folder.resolve("home"), "no folder");

    assertThat(failureAt("http://127.0.0.1:1"))
        .startsWith("not_kept: The sign-in in " + folder.resolve("home"))
        .contains("cannot be read: ");
  }

  @Test
  void aStandardInputThatIsClosedIsToldAsTheSystemSaysIt() {
    stdin =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Bad file descriptor");
          }

          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            return read();
          }
        };

    assertThat(
            failure(
                "room", "list", "--as", "ada", "--password-stdin", "--server", "http://h.invalid"))
        .contains("standard input cannot be read: Bad file descriptor");
  }
}
