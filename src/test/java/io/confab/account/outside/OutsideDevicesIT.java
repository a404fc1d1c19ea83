package io.confab.account.outside;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// How many devices an account has that comes with tokens of an outside issuer, and which go.
@ExtendWith(VertxExtension.class)
@Timeout(60)
class OutsideDevicesIT {
  private static final int MOST = 50;
  private static final OutsideToken TOKEN =
      new OutsideToken(new OutsideIdentity("issuer", "subject"), null, null, Long.MAX_VALUE);

  private final Set<DeviceId> connected = ConcurrentHashMap.newKeySet();
  private TestDatabase database;
  private Database pool;
  private OutsideAccounts accounts;

  @BeforeEach
  void open(Vertx vertx) {
    database = TestDatabase.create();
    pool = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    OutsideAccountStore store = new OutsideAccountStore(pool);
    accounts =
        new OutsideAccounts(
            pool,
            store,
            new BatchedRead<>(100, store::find),
            new BatchedRead<>(100, store::arrive),
            this::connected,
            new SecureRandom());
  }

  @AfterEach
  void close() {
    Futures.get(pool.close());
    database.close();
  }

  private Future<Set<DeviceId>> connected(AccountId account) {
    return Future.succeededFuture(Set.copyOf(connected));
  }

  private Future<Authenticated> admit(String device) {
    return accounts.admit(TOKEN, new DeviceInfo(new DeviceId(device), "n", "p"));
  }

  /// The devices that come, all at once.
  private Set<DeviceId> admit(int number) {
    List<Future<Authenticated>> all =
        IntStream.range(0, number).mapToObj(i -> admit("d" + i)).toList();
    Set<DeviceId> devices = new HashSet<>();
    all.forEach(each -> devices.add(Futures.get(each).caller().device()));
    return devices;
  }

  private boolean stands(Collection<DeviceId> devices) {
    return devices.stream()
        .allMatch(
            device ->
                database.count(
                        "SELECT count(*) FROM device WHERE device_id = '%s'"
                            .formatted(device.value()))
                    == 1);
  }

  private long devices() {
    return database.count("SELECT count(*) FROM device");
  }

  @Test
  void manyDevicesThatComeAtOnceLeaveFifty() {
    assertThat(admit(MOST + 10)).hasSize(MOST + 10);
    assertThat(devices()).isEqualTo(MOST);
  }

  @Test
  void aConnectedDeviceStaysAndWhereAllAreConnectedThereIsNoRoom() {
    Set<DeviceId> all = admit(MOST);
    connected.addAll(all);
    assertThat(refusal(admit("another"))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(stands(all)).isTrue();
    assertThat(Futures.get(admit("d7")).caller().device()).isEqualTo(new DeviceId("d7"));

    connected.remove(new DeviceId("d30"));
    Futures.get(admit("another"));
    assertThat(stands(connected)).isTrue();
    assertThat(stands(Set.of(new DeviceId("d30")))).isFalse();
    assertThat(devices()).isEqualTo(MOST);
  }
}
