package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What connections of each kind set, whatever the server's own settings are.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class ConnectionSettingsIT {
  private static final String JIT = "SELECT current_setting('jit')";
  private static final String STANDSTILL =
      "SELECT current_setting('idle_in_transaction_session_timeout')";

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;

  ConnectionSettingsIT(Vertx vertx) {
    postgres.execute("ALTER DATABASE " + postgres.url().database() + " SET jit = on");
    this.database = new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
  }

  @AfterEach
  void close() {
    postgres.close();
  }

  @Test
  void thePoolCompilesNoPlans() {
    assertThat(first(Futures.get(database.client().query(JIT).execute()))).isEqualTo("off");
  }

  @Test
  void aWriterCompilesNoPlans() {
    WriterConnection writer = new WriterConnection(database, TestConfig.postgres().lockTimeout());
    Futures.get(writer.open());
    assertThat(first(Futures.get(writer.call(JIT, Tuple.tuple())))).isEqualTo("off");
    Futures.get(writer.close());
  }

  @Test
  void aWriterDoesNotUseAServerThatNoLongerKeepsWhatItCommits() {
    WriterConnection writer = new WriterConnection(database, TestConfig.postgres().lockTimeout());
    Futures.get(writer.open());
    postgres.execute(
        "ALTER DATABASE " + postgres.url().database() + " SET synchronous_commit = off");
    assertThatThrownBy(() -> Futures.get(writer.open()))
        .isInstanceOf(UnusableDatabaseException.class)
        .hasMessageContaining("synchronous_commit");
    assertThat(writer.isOpen()).isFalse();
  }

  /// Others get in time what it had locked.
  @Test
  void aNodeThatStandsStillInATransactionIsWaitedForAThirdOfTheTimeForLocks(Vertx vertx) {
    for (int lock : List.of(1, 3, 60)) {
      Duration minute = Duration.ofMinutes(1);
      Database own =
          new Database(
              vertx,
              postgres.nodeUrl(),
              TestConfig.postgres(minute, minute, Duration.ofSeconds(lock)));
      assertThat(first(Futures.get(own.client().query(STANDSTILL).execute())))
          .isEqualTo(Math.max(1, lock / 3) + "s");
      Futures.get(own.close());
    }
  }

  @Test
  void migrationsCompileNoPlans(@TempDir Path folder) throws IOException {
    try (Stream<Path> files = Files.list(MigrationFilesTest.FOLDER)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Files.writeString(folder.resolve("V999__shown.sql"), "CREATE TABLE shown AS " + JIT + " jit");
    new Migrations(PostgresLogins.of(postgres.url()), "filesystem:" + folder).migrate();
    assertThat(postgres.count("SELECT count(*) FROM shown WHERE jit = 'off'")).isOne();
  }

  /// As a node makes its Vert.x: without a native transport the kernel is not asked for the bound.
  @Test
  void aPeerThatAcknowledgesNothingIsGivenUp() {
    Vertx nodes = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    try {
      assertThat(nodes.isNativeTransportEnabled()).isTrue();
      Database own = new Database(nodes, postgres.nodeUrl(), TestConfig.postgres());
      var connection = (SqlConnectionInternal) Futures.get(own.connect(Map.of()));
      var socket = (SocketConnectionBase) connection.unwrap().unwrap();
      ChannelConfig settings = socket.socket().channelHandlerContext().channel().config();
      assertThat(settings.getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
      assertThat(settings.getOption(EpollChannelOption.TCP_USER_TIMEOUT)).isEqualTo(5_000);
      Futures.get(own.close());
    } finally {
      Futures.get(nodes.close());
    }
  }

  private static String first(RowSet<Row> rows) {
    return rows.iterator().next().getString(0);
  }
}
