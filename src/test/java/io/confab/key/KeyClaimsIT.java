package io.confab.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.key.KeyStore.Claim;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.Caller;
import io.confab.testing.Futures;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is concurrent, a one-time key is handed out once, and none is left where one was asked
/// for: claims of many over two pools of connections, as two nodes have them.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class KeyClaimsIT {
  private static final long OWNER = 1;
  private static final int CLAIMERS = 200;
  private static final int KEYS = 100;

  private final Vertx vertx;

  KeyClaimsIT(Vertx vertx) {
    this.vertx = vertx;
  }

  private static String people() {
    return KeyWorld.sealedRoom(1, OWNER, OWNER + CLAIMERS);
  }

  private static List<Caller> devices(int count) {
    return IntStream.range(0, count).mapToObj(i -> KeyWorld.caller(OWNER, "d" + i)).toList();
  }

  private static String rows(List<Caller> devices) {
    return devices.stream()
        .map(device -> KeyWorld.device(OWNER, device.device().value()))
        .reduce("", String::concat);
  }

  @RepeatedTest(5)
  @Tag("brief")
  void ofAHundredKeysTwoHundredGetAHundredAndTheOthersTheFallback() {
    claimAll(1);
  }

  @RepeatedTest(3)
  @Tag("brief")
  void soDoClaimsOfFiveDevicesAtOnce() {
    claimAll(5);
  }

  @RepeatedTest(20)
  @Tag("full")
  void soItIsEachTime() {
    claimAll(1);
    claimAll(5);
  }

  private void claimAll(int count) {
    try (TestDatabase server = TestDatabase.create();
        KeyWorld one = new KeyWorld(vertx, server.nodeUrl(), KeyWorld.bounds());
        KeyWorld two = new KeyWorld(vertx, server.nodeUrl(), KeyWorld.bounds())) {
      List<Caller> devices = devices(count);
      server.execute(people() + rows(devices));
      devices.forEach(device -> one.begin(device, KEYS));
      Caller[] asked = devices.toArray(Caller[]::new);

      List<Future<List<Claim>>> answers =
          IntStream.rangeClosed(1, CLAIMERS)
              .mapToObj(i -> (i % 2 == 0 ? one : two).claim(OWNER + i, asked))
              .toList();
      List<Claim> claims = answers.stream().map(Futures::get).flatMap(List::stream).toList();

      assertThat(claims).hasSize(CLAIMERS * count);
      for (Caller device : devices) {
        List<Claim> own =
            claims.stream().filter(c -> c.key().deviceId().equals(device.device())).toList();
        assertThat(own.stream().filter(c -> c.outcome() == ClaimOutcome.ONE_TIME))
            .extracting(c -> c.key().id())
            .doesNotHaveDuplicates()
            .hasSize(KEYS);
        assertThat(own.stream().filter(c -> c.outcome() == ClaimOutcome.FALLBACK))
            .hasSize(CLAIMERS - KEYS)
            .allSatisfy(c -> assertThat(c.key().id()).isEqualTo("fallback"))
            .allSatisfy(c -> assertThat(c.key().fallback()).isTrue());
      }
      assertThat(server.count("SELECT count(*) FROM one_time_key")).isZero();
      assertThat(server.count("SELECT count(*) FROM spent_key")).isEqualTo((long) KEYS * count);
      assertThat(server.count("SELECT count(*) FROM device_key WHERE fallback_used"))
          .isEqualTo(count);
    }
  }

  /// What was under way is rolled back, and what was committed is not handed out again.
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void noKeyIsHandedOutTwiceWhenPostgresqlIsKilled(int count) throws SQLException {
    try (OwnPostgres server = new OwnPostgres()) {
      PostgresUrl url = server.url();
      new Migrations(PostgresLogins.of(url)).migrate();
      List<Caller> devices = devices(count);
      Caller[] asked = devices.toArray(Caller[]::new);
      execute(url, people() + rows(devices));
      try (KeyWorld one = new KeyWorld(vertx, url, KeyWorld.bounds());
          KeyWorld two = new KeyWorld(vertx, url, KeyWorld.bounds())) {
        devices.forEach(device -> one.begin(device, KEYS));
        List<Future<List<Claim>>> early = claims(one, two, asked, 1, 40);
        early.forEach(Futures::get);
        List<Future<List<Claim>>> midst = new ArrayList<>();
        try (Connection holder = TestDatabase.connect(url);
            Statement statement = holder.createStatement()) {
          holder.setAutoCommit(false);
          statement.execute("LOCK TABLE spent_key IN EXCLUSIVE MODE");
          midst.addAll(claims(one, two, asked, 41, 100));
          await().until(() -> waiting(url) >= 10);
          server.kill();
        } catch (SQLException _) {
          // the connection of the holder ended with the server
        }
        server.start();
        await().until(() -> midst.stream().allMatch(Future::isComplete));
        List<Future<List<Claim>>> late = claims(one, two, asked, 101, 200);
        await().until(() -> late.stream().allMatch(Future::isComplete));

        assertThat(midst.stream().filter(Future::failed)).hasSizeGreaterThanOrEqualTo(10);
        for (Caller device : devices) {
          assertThat(
                  Stream.of(early, midst, late)
                      .flatMap(List::stream)
                      .filter(Future::succeeded)
                      .flatMap(answer -> answer.result().stream())
                      .filter(claim -> claim.key().deviceId().equals(device.device()))
                      .filter(claim -> claim.outcome() == ClaimOutcome.ONE_TIME))
              .extracting(claim -> claim.key().id())
              .doesNotHaveDuplicates()
              .hasSizeGreaterThanOrEqualTo(40);
        }
        assertThat(
                count(url, "SELECT (SELECT count(*) FROM one_time_key) + count(*) FROM spent_key"))
            .isEqualTo((long) KEYS * count);
      }
    }
  }

  private static List<Future<List<Claim>>> claims(
      KeyWorld one, KeyWorld two, Caller[] asked, int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(i -> (i % 2 == 0 ? one : two).claim(OWNER + i, asked))
        .toList();
  }

  private static long waiting(PostgresUrl url) throws SQLException {
    return count(url, "SELECT count(*) FROM pg_locks WHERE NOT granted");
  }

  private static long count(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void execute(PostgresUrl url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
