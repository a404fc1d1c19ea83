package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(VertxExtension.class)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisConnectionRegistryIT {
  private static final AccountId ACCOUNT = new AccountId(42);
  private static final Connection PHONE = connection("phone", "n1", "s1", 9);
  private static final Connection PHONE_AGAIN = connection("phone", "n2", "s2", 10);
  private static final Connection PHONE_AT_LAST = connection("phone", "n1", "s4", 11);
  private static final Connection WEB = connection("web", "n1", "s3", 1);

  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final RedisKeys keys = new RedisKeys("test:");
  private final RedisConnectionRegistry registry;

  RedisConnectionRegistryIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.registry = new RedisConnectionRegistry(commands, keys);
  }

  @BeforeAll
  void open() {
    commands.open();
    Awaitility.await().until(commands::isUp);
  }

  @AfterEach
  void empty() {
    send(Request.cmd(Command.FLUSHALL));
  }

  @AfterAll
  void close() {
    commands.close().await();
    redis.close();
  }

  @Test
  void allDevicesOfAnAccountAreFound() {
    register(PHONE, WEB);
    register(
        new Connection(new AccountId(43), WEB.device(), WEB.node(), WEB.session(), WEB.fence()));
    assertThat(find()).containsExactlyInAnyOrder(PHONE, WEB);
  }

  @Test
  void aSecondSocketOfADeviceDisplacesTheFirst() {
    assertThat(register(PHONE)).isEmpty();
    assertThat(register(PHONE_AGAIN)).containsExactly(newest(PHONE_AGAIN));
    assertThat(find()).containsExactly(PHONE_AGAIN);
  }

  @Test
  void aRepeatedRegistrationDisplacesNobody() {
    register(PHONE);
    assertThat(register(PHONE)).isEmpty();
    assertThat(find()).containsExactly(PHONE);
  }

  static List<List<Connection>> orders() {
    return orders(List.of(PHONE, PHONE_AGAIN, PHONE_AT_LAST));
  }

  private static List<List<Connection>> orders(List<Connection> all) {
    if (all.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Connection>> orders = new ArrayList<>();
    for (Connection last : all) {
      List<Connection> others = all.stream().filter(each -> !each.equals(last)).toList();
      for (List<Connection> order : orders(others)) {
        List<Connection> longer = new ArrayList<>(order);
        longer.add(last);
        orders.add(longer);
      }
    }
    return orders;
  }

  @ParameterizedTest
  @MethodSource("orders")
  void theNewestHasTheDeviceInWhateverOrderSessionsAreEntered(List<Connection> order) {
    List<Connection> entered = new ArrayList<>();
    for (Connection each : order) {
      entered.add(each);
      Connection newest = Collections.max(entered, Comparator.comparing(Connection::fence));
      assertThat(register(each))
          .isEqualTo(entered.size() == 1 ? List.of() : List.of(newest(newest)));
    }
    order.forEach(this::register); // the next round of refreshing
    assertThat(find()).containsExactly(PHONE_AT_LAST);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void theNewestHasTheDeviceWhenAllAreEnteredAtOnce(List<Connection> order) {
    assertThat(register(order.toArray(Connection[]::new))).last().isEqualTo(newest(PHONE_AT_LAST));
    assertThat(find()).containsExactly(PHONE_AT_LAST);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void olderSessionsNeitherRemoveNorReplaceTheNewest(List<Connection> order) {
    register(PHONE_AT_LAST);
    for (Connection each : order) {
      if (!each.equals(PHONE_AT_LAST)) {
        unregister(each);
        register(each);
        unregister(each);
      }
      assertThat(find()).containsExactly(PHONE_AT_LAST);
    }
    unregister(PHONE_AT_LAST);
    assertThat(find()).isEmpty();
  }

  private static Newest newest(Connection connection) {
    return new Newest(connection.account(), connection.device(), connection.fence());
  }

  @Test
  void aNewEpochCountsMoreThanAHigherNumber() {
    Connection restored =
        new Connection(
            ACCOUNT, PHONE.device(), PHONE.node(), new SessionId("s5"), new Fence(new Epoch(2), 1));
    register(PHONE);
    assertThat(register(restored)).containsExactly(newest(restored));
    assertThat(find()).containsExactly(restored);
  }

  @Test
  void anEntryOfAnOlderConfabIsReplaced() {
    register(PHONE);
    JsonObject entry = entry(PHONE);
    entry.remove("fence");
    write(PHONE, entry.put("incarnation", "i").put("counter", "1").put("session", "former"));
    assertThat(find()).isEmpty();
    assertThat(register(PHONE)).containsExactly(newest(PHONE));
    assertThat(find()).containsExactly(PHONE);
  }

  @Test
  void whatIsNoEntryIsInNobodysWay() {
    send(
        Request.cmd(Command.HSET)
            .arg(keys.connections(ACCOUNT))
            .arg(PHONE.device().value())
            .arg("no JSON")
            .arg("web")
            .arg("5"));
    unregister(PHONE);
    Connection other =
        new Connection(new AccountId(43), WEB.device(), WEB.node(), WEB.session(), WEB.fence());
    assertThat(register(PHONE, other)).isEmpty();
    assertThat(find()).containsExactly(PHONE);
  }

  @Test
  void anEntryThatWasNotRefreshedIsNeitherFoundNorInTheWay() {
    register(PHONE_AGAIN, WEB);
    expire(PHONE_AGAIN);
    assertThat(find()).containsExactly(WEB);
    assertThat(register(PHONE)).isEmpty();
    assertThat(find()).containsExactlyInAnyOrder(PHONE, WEB);
  }

  @Test
  void expiredEntriesOfOtherDevicesAreClearedByTheNextRegistration() {
    register(PHONE);
    expire(PHONE);
    register(WEB);
    assertThat(send(Request.cmd(Command.HKEYS).arg(keys.connections(ACCOUNT))).size()).isEqualTo(1);
  }

  @Test
  void anEntryIsValidForNinetySecondsAndARepetitionMakesItAnew() {
    register(PHONE);
    assertThat(validity()).isBetween(80_000L, 90_000L);
    expire(PHONE);
    send(Request.cmd(Command.PEXPIRE).arg(keys.connections(ACCOUNT)).arg(50_000));
    register(PHONE);
    assertThat(find()).containsExactly(PHONE);
    assertThat(validity()).isBetween(80_000L, 90_000L);
  }

  private long validity() {
    return send(Request.cmd(Command.PTTL).arg(keys.connections(ACCOUNT))).toLong();
  }

  @Test
  void afterRedisLostEverythingARefreshEntersTheSessionsAgain() {
    register(PHONE, WEB);
    send(Request.cmd(Command.FLUSHALL));
    assertThat(register(PHONE, WEB)).isEmpty();
    assertThat(find()).containsExactlyInAnyOrder(PHONE, WEB);
  }

  /// Of so many accounts from one on, with two devices each.
  private static List<Connection> ofAccounts(int first, int count) {
    return IntStream.range(0, 2 * count)
        .mapToObj(
            i ->
                new Connection(
                    new AccountId(first + i % count),
                    new DeviceId("d" + i / count),
                    new NodeId("n1"),
                    new SessionId("s" + i),
                    new Fence(new Epoch(1), i)))
        .toList();
  }

  @Test
  void aRefreshOfManyAccountsTellsWhichAreContested() {
    List<Connection> all = ofAccounts(0, 250);
    register(all.toArray(Connection[]::new));
    Connection taken = all.get(470);
    Connection other =
        new Connection(
            taken.account(),
            taken.device(),
            new NodeId("n2"),
            new SessionId("other"),
            new Fence(new Epoch(1), 1_000));
    register(other);
    assertThat(register(all.toArray(Connection[]::new))).containsExactly(newest(other));
  }

  @Test
  void manyGoAtOnceAndWhoCameMeanwhileStays() {
    List<Connection> all = ofAccounts(42, 125);
    register(all.toArray(Connection[]::new));
    Connection meanwhile = connection("d1", "n2", "other", 1_000);
    register(meanwhile);
    registry.unregister(all).await();
    assertThat(find()).containsExactly(meanwhile);
    assertThat(send(Request.cmd(Command.DBSIZE)).toInteger()).isEqualTo(1);
  }

  private List<Newest> register(Connection... connections) {
    List<Future<List<Newest>>> answers =
        registry.register(List.of(connections)).values().stream().distinct().toList();
    return answers.stream().flatMap(answer -> answer.await().stream()).toList();
  }

  private void unregister(Connection connection) {
    registry.unregister(List.of(connection)).await();
  }

  private List<Connection> find() {
    return registry.find(ACCOUNT).await().connections();
  }

  /// Makes an entry as old as if nobody had refreshed it.
  private void expire(Connection connection) {
    JsonObject entry = entry(connection);
    long validUntil = Long.parseLong(entry.getString("valid_until"));
    write(connection, entry.put("valid_until", "" + (validUntil - 90_000)));
  }

  private JsonObject entry(Connection of) {
    String key = keys.connections(of.account());
    return new JsonObject(
        send(Request.cmd(Command.HGET).arg(key).arg(of.device().value())).toString());
  }

  private void write(Connection of, JsonObject entry) {
    String key = keys.connections(of.account());
    send(Request.cmd(Command.HSET).arg(key).arg(of.device().value()).arg(entry.encode()));
  }

  private Response send(Request request) {
    return commands.send("k", request).await();
  }

  private static Connection connection(String device, String node, String session, long number) {
    return new Connection(
        ACCOUNT,
        new DeviceId(device),
        new NodeId(node),
        new SessionId(session),
        new Fence(new Epoch(1), number));
  }
}
