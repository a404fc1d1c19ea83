package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A PostgreSQL that accepts connections and says nothing ends a start within seconds; whoever runs
/// the node is told its address and tries again.
@Timeout(120)
class SilentStartIT {
  private final TestDatabase postgres = TestDatabase.create();
  private volatile String lastHeard = "";
  private volatile boolean silent;
  private final TcpProxy way = TcpProxy.before(postgres.url().text(), Muted::new);
  private final PostgresUrl url = PostgresUrl.parse(way.url());

  /// Falls silent, on all connections, when it is asked for something.
  private final class Muted implements Filter {
    @Override
    public byte[] toServer(byte[] bytes) {
      silent |=
          !lastHeard.isEmpty()
              && new String(bytes, StandardCharsets.ISO_8859_1).contains(lastHeard);
      return bytes;
    }

    @Override
    public byte[] toClient(byte[] bytes) {
      return silent ? new byte[0] : bytes;
    }
  }

  @AfterEach
  void close() {
    way.close();
    postgres.close();
  }

  private void assertTold(ThrowingCallable start) {
    assertThatExceptionOfType(UnreachableDatabaseException.class)
        .isThrownBy(start)
        .withMessageContaining("127.0.0.1:" + way.port() + " does not answer");
  }

  @Test
  void thatNeverSaysAWord() {
    way.conduct(Conduct.HOLD);
    assertTold(() -> ServerCheck.require(url));
    assertTold(() -> new Migrations(PostgresLogins.of(url)).migrate());
  }

  @Test
  void thatFallsSilentWhileTheStartLooksAtIt() {
    lastHeard = "server_version_num";
    assertTold(() -> ServerCheck.require(url));
  }

  @Test
  void thatFallsSilentWhileTheStartLooksForMigrations() {
    lastHeard = "flyway_schema_history";
    assertTold(() -> new Migrations(PostgresLogins.of(url)).migrate());
  }

  @Test
  void thatFallsSilentInTheMidstOfTheMigrations() {
    postgres.execute(
        "UPDATE flyway_schema_history SET checksum = 0 WHERE script = 'R__append_messages.sql'");
    lastHeard = "FUNCTION append_messages";
    assertTold(() -> new Migrations(PostgresLogins.of(url)).migrateAll());
  }
}
