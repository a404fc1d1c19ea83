package io.confab.postgres;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.Certificates;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Both ways to PostgreSQL, that of the node and the JDBC of migrations, over TLS. The server's
/// certificate names 127.0.0.1; the server listens on 127.0.0.2 as well.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PostgresTlsIT {
  private static final String ENCRYPTED =
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

  private final Vertx vertx;
  private Path authority;
  private Path otherAuthority;
  private OwnPostgres postgres;

  PostgresTlsIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Path ours = Certificates.make(folder.resolve("ours"), "server");
    authority = ours.resolve("ca.crt");
    otherAuthority = Certificates.make(folder.resolve("others"), "server").resolve("ca.crt");
    Path server = Files.createDirectory(folder.resolve("postgres"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path certificate = Files.copy(ours.resolve("server.crt"), server.resolve("server.crt"));
    Path key = Files.copy(ours.resolve("server.key"), server.resolve("server.key"));
    letServerRead(certificate);
    letServerRead(key);
    postgres =
        OwnPostgres.in(
            server,
            "listen_addresses=127.0.0.1,127.0.0.2",
            "ssl=on",
            "ssl_cert_file=" + certificate,
            "ssl_key_file=" + key);
  }

  /// PostgreSQL wants its key to be its own or, for its group to read, root's.
  private static void letServerRead(Path file) throws IOException {
    boolean root = System.getProperty("user.name").equals("root");
    Files.setPosixFilePermissions(
        file, PosixFilePermissions.fromString(root ? "rw-r-----" : "rw-------"));
  }

  @AfterAll
  void stop() {
    postgres.close();
  }

  private PostgresUrl url(String host, Path believed) {
    PostgresUrl plain = postgres.url();
    return new PostgresUrl(
        host,
        plain.port(),
        plain.database(),
        plain.user(),
        plain.password(),
        new PostgresTls(believed.toString()));
  }

  private Future<SqlConnection> connect(PostgresUrl url) {
    return new Database(vertx, url, TestConfig.postgres()).connect(Map.of());
  }

  private static Connection connectByJdbc(PostgresUrl url) throws SQLException {
    return url.connect(PostgresUrl.QUESTION);
  }

  @Test
  void aServerThatProvesItselfIsConnectedToAndNothingIsInTheClear() throws SQLException {
    PostgresUrl url = url("127.0.0.1", authority);
    var rows = get(connect(url).compose(c -> c.query(ENCRYPTED).execute()));
    assertThat(rows.iterator().next().getBoolean(0)).isTrue();
    try (var connection = connectByJdbc(url);
        var statement = connection.createStatement();
        var answer = statement.executeQuery(ENCRYPTED)) {
      assertThat(answer.next() && answer.getBoolean(1)).isTrue();
    }
  }

  @Test
  void oneWithACertificateOfAnotherAuthorityIsNot() {
    assertRefused(url("127.0.0.1", otherAuthority));
  }

  @Test
  void oneWhoseCertificateNamesAnotherHostIsNot() {
    assertRefused(url("127.0.0.2", authority));
  }

  private void assertRefused(PostgresUrl url) {
    assertThatThrownBy(() -> get(connect(url))).hasStackTraceContaining("SSL");
    assertThatThrownBy(() -> connectByJdbc(url).close())
        .isInstanceOf(SQLException.class)
        .hasMessageNotContaining("refused");
  }
}
