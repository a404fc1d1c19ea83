package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.Done;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.Fence;
import io.confab.presence.PresenceCommand.FindConnections;
import io.confab.presence.PresenceCommand.Lost;
import io.confab.presence.PresenceCommand.Refresh;
import io.confab.presence.PresenceCommand.Register;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.presence.PresenceCommand.Registration;
import io.confab.presence.PresenceCommand.Unregister;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
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
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 30)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisConnectionRegistryIT {
  private static final AccountId ACCOUNT = new AccountId(42);
  private static final Connection PHONE = connection("phone", "n1", "s1");
  private static final Connection PHONE_AGAIN = connection("phone", "n2", "s2");
  private static final Connection WEB = connection("web", "n1", "s3");

  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final RedisKeys keys = new RedisKeys("test:");
  private final PresenceHandler presence;

  RedisConnectionRegistryIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(2));
    this.presence =
        new PresenceHandler(
            new RedisConnectionRegistry(commands, keys, () -> UUID.randomUUID().toString()));
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
    register(PHONE);
    register(WEB);
    register(new Connection(new AccountId(43), WEB.device(), WEB.node(), WEB.session()));
    assertThat(find()).containsExactlyInAnyOrder(PHONE, WEB);
  }

  @Test
  void aSecondSocketOfADeviceDisplacesTheFirstAndHasAHigherFence() {
    Registered first = register(PHONE);
    Registered second = register(PHONE_AGAIN);
    assertThat(first.displaced()).isNull();
    assertThat(second.displaced()).isEqualTo(PHONE);
    assertThat(second.fence().incarnation()).isEqualTo(first.fence().incarnation());
    assertThat(second.fence().counter()).isGreaterThan(first.fence().counter());
    assertThat(find()).containsExactly(PHONE_AGAIN);
  }

  @Test
  void aRepeatedRegistrationDisplacesNobody() {
    register(PHONE);
    assertThat(register(PHONE).displaced()).isNull();
  }

  @Test
  void onlyItsOwnEntryIsRemoved() {
    Fence old = register(PHONE).fence();
    Fence fresh = register(PHONE_AGAIN).fence();
    unregister(PHONE, old);
    assertThat(find()).containsExactly(PHONE_AGAIN);
    unregister(PHONE_AGAIN, fresh);
    assertThat(find()).isEmpty();
  }

  @Test
  void anEntryThatWasNotRefreshedIsNeitherFoundNorDisplaced() {
    register(PHONE);
    register(WEB);
    expire(PHONE);
    assertThat(find()).containsExactly(WEB);
    assertThat(register(PHONE_AGAIN).displaced()).isNull();
  }

  @Test
  void expiredEntriesOfOtherDevicesAreClearedByTheNextRegistration() {
    register(PHONE);
    expire(PHONE);
    register(WEB);
    assertThat(send(Request.cmd(Command.HKEYS).arg(keys.connections(ACCOUNT))).size()).isEqualTo(1);
  }

  @Test
  void anEntryIsValidForNinetySecondsAndARefreshMakesThemAnew() {
    Fence fence = register(PHONE).fence();
    assertThat(send(Request.cmd(Command.PTTL).arg(keys.connections(ACCOUNT))).toLong())
        .isBetween(80_000L, 90_000L);
    expire(PHONE);
    send(Request.cmd(Command.PEXPIRE).arg(keys.connections(ACCOUNT)).arg(50_000));
    assertThat(refresh(new Registration(PHONE, fence))).isEmpty();
    assertThat(find()).containsExactly(PHONE);
    assertThat(send(Request.cmd(Command.PTTL).arg(keys.connections(ACCOUNT))).toLong())
        .isBetween(80_000L, 90_000L);
  }

  @Test
  void afterRedisLostEverythingARefreshEntersTheSessionsAgain() {
    Fence phone = register(PHONE).fence();
    Fence web = register(WEB).fence();
    send(Request.cmd(Command.FLUSHALL));
    assertThat(refresh(new Registration(PHONE, phone), new Registration(WEB, web))).isEmpty();
    assertThat(find()).containsExactlyInAnyOrder(PHONE, WEB);
  }

  @Test
  void afterRedisLostEverythingFencesAreOfANewIncarnation() {
    Fence before = register(PHONE).fence();
    send(Request.cmd(Command.FLUSHALL));
    assertThat(register(PHONE_AGAIN).fence().incarnation()).isNotEqualTo(before.incarnation());
  }

  @Test
  void ofTwoSessionsOfADeviceAfterALossExactlyOneStays() {
    Fence first = register(PHONE).fence();
    Fence second = register(PHONE_AGAIN).fence();
    send(Request.cmd(Command.FLUSHALL));
    Future<List<Connection>> one = refreshing(new Registration(PHONE, first));
    Future<List<Connection>> other = refreshing(new Registration(PHONE_AGAIN, second));
    Future.all(one, other).await();
    assertThat(one.result()).isEmpty();
    assertThat(other.result()).containsExactly(PHONE_AGAIN);
    assertThat(find()).containsExactly(PHONE);
  }

  @Test
  void aRefreshOfManyAccountsTellsWhichAreLost() {
    List<Connection> all =
        IntStream.range(0, 500)
            .mapToObj(
                i ->
                    new Connection(
                        new AccountId(i % 250), // two devices each
                        new DeviceId("d" + i / 250),
                        new NodeId("n1"),
                        new SessionId("s" + i)))
            .toList();
    List<Registration> registrations =
        all.stream().map(each -> new Registration(each, register(each).fence())).toList();
    Connection taken = all.get(300);
    register(
        new Connection(taken.account(), taken.device(), new NodeId("n2"), new SessionId("other")));
    assertThat(refresh(registrations.toArray(Registration[]::new))).containsExactly(taken);
  }

  private Registered register(Connection connection) {
    return (Registered) presence.handle(new Register(connection)).await();
  }

  private void unregister(Connection connection, Fence fence) {
    assertThat(presence.handle(new Unregister(connection, fence)).await()).isEqualTo(Done.DONE);
  }

  private List<Connection> refresh(Registration... registrations) {
    return refreshing(registrations).await();
  }

  private Future<List<Connection>> refreshing(Registration... registrations) {
    return presence
        .handle(new Refresh(List.of(registrations)))
        .map(answer -> ((Lost) answer).connections());
  }

  private List<Connection> find() {
    return ((Connections) presence.handle(new FindConnections(ACCOUNT)).await()).connections();
  }

  /// Makes an entry as old as if nobody had refreshed it.
  private void expire(Connection connection) {
    String key = keys.connections(connection.account());
    String device = connection.device().value();
    JsonObject entry =
        new JsonObject(send(Request.cmd(Command.HGET).arg(key).arg(device)).toString());
    entry.put("valid_until", "" + (Long.parseLong(entry.getString("valid_until")) - 90_000));
    send(Request.cmd(Command.HSET).arg(key).arg(device).arg(entry.encode()));
  }

  private Response send(Request request) {
    return commands.send("k", request).await();
  }

  private static Connection connection(String device, String node, String session) {
    return new Connection(ACCOUNT, new DeviceId(device), new NodeId(node), new SessionId(session));
  }
}
