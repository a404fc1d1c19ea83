package io.confab.presence;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.Fence;
import io.confab.presence.PresenceCommand.Lost;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.presence.PresenceCommand.Registration;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The registry of sessions in Redis: for each account a hash from device to node, session, fence
/// and the time until which that is valid, by the clock of Redis.
///
/// An entry belongs to a session; session ids are never used twice. Every method fails with
/// `unavailable` while Redis is away.
public final class RedisConnectionRegistry {
  /// How long an entry outlives its last refresh.
  public static final Duration VALIDITY = Duration.ofSeconds(90);

  private static final Duration FENCE_KEPT = Duration.ofDays(1);

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final Supplier<String> incarnations;
  private final RedisScript register = script("register.lua");
  private final RedisScript refresh = script("refresh.lua");
  private final RedisScript unregister = script("unregister.lua");
  private final RedisScript find = script("find.lua");

  /// @param incarnations makes names that are never made twice
  public RedisConnectionRegistry(
      RedisCommands commands, RedisKeys keys, Supplier<String> incarnations) {
    this.commands = commands;
    this.keys = keys;
    this.incarnations = incarnations;
  }

  private static RedisScript script(String name) {
    return RedisScript.resource(RedisConnectionRegistry.class, name);
  }

  /// Enters a session, in place of any other of its device. A repetition gives a further fence.
  public Future<Registered> register(Connection connection) {
    AccountId account = connection.account();
    return register
        .run(
            commands,
            List.of(keys.connections(account), keys.connectionFence(account)),
            List.of(
                connection.device().value(),
                connection.node().value(),
                connection.session().value(),
                millis(VALIDITY),
                incarnations.get(),
                millis(FENCE_KEPT)))
        .map(
            answer ->
                new Registered(
                    new Fence(answer.get(0).toString(), answer.get(1).toLong()),
                    displaced(connection, answer)));
  }

  private static @Nullable Connection displaced(Connection by, Response answer) {
    return answer.size() < 4 ? null : connection(by.account(), by.device(), answer, 2);
  }

  /// Makes entries valid for another while, entering again those that are not there; answers those
  /// whose device belongs to another session now. One command for each account, all at once.
  public Future<Lost> refresh(List<Registration> registrations) {
    Map<AccountId, List<Registration>> byAccount = new LinkedHashMap<>();
    for (Registration each : registrations) {
      byAccount.computeIfAbsent(each.connection().account(), key -> new ArrayList<>()).add(each);
    }
    List<Future<List<Connection>>> answers =
        byAccount.values().stream().map(this::refreshAccount).toList();
    return Future.all(answers)
        .map(
            all -> new Lost(answers.stream().flatMap(answer -> answer.result().stream()).toList()));
  }

  private Future<List<Connection>> refreshAccount(List<Registration> registrations) {
    List<String> arguments = new ArrayList<>();
    arguments.add(millis(VALIDITY));
    for (Registration each : registrations) {
      arguments.add(each.connection().device().value());
      arguments.add(each.connection().node().value());
      arguments.add(each.connection().session().value());
      arguments.add(each.fence().incarnation());
      arguments.add(Long.toString(each.fence().counter()));
    }
    AccountId account = registrations.getFirst().connection().account();
    return refresh
        .run(commands, List.of(keys.connections(account)), arguments)
        .map(
            lost ->
                elements(lost)
                    .map(position -> registrations.get(position.toInteger() - 1).connection())
                    .toList());
  }

  /// Removes the entry if it is still this session's.
  public Future<Void> unregister(Connection connection) {
    return unregister
        .run(
            commands,
            List.of(keys.connections(connection.account())),
            List.of(connection.device().value(), connection.session().value()))
        .mapEmpty();
  }

  /// All live sessions of an account, of all devices and nodes, in no order.
  public Future<Connections> find(AccountId account) {
    return find.run(commands, List.of(keys.connections(account)), List.of())
        .map(
            answer ->
                new Connections(
                    IntStream.range(0, answer.size() / 3)
                        .mapToObj(i -> connection(account, answer, 3 * i))
                        .toList()));
  }

  private static Connection connection(AccountId account, Response answer, int at) {
    return connection(account, new DeviceId(answer.get(at).toString()), answer, at + 1);
  }

  private static Connection connection(
      AccountId account, DeviceId device, Response answer, int at) {
    return new Connection(
        account,
        device,
        new NodeId(answer.get(at).toString()),
        new SessionId(answer.get(at + 1).toString()));
  }

  private static Stream<Response> elements(Response array) {
    return IntStream.range(0, array.size()).mapToObj(array::get);
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
