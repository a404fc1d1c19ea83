package io.confab.presence;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The registry of sessions in Redis: for each account a hash from device to node, session, fence
/// and the time until which that is valid, by the clock of Redis.
///
/// The entry of a device belongs to the session with the highest fence, in whatever order sessions
/// are entered and removed. Every method fails with `unavailable` while Redis is away.
public final class RedisConnectionRegistry {
  /// How long an entry outlives its last refresh.
  public static final Duration VALIDITY = Duration.ofSeconds(90);

  /// Accounts, or sessions, of one command: Redis does nothing else meanwhile.
  private static final int AT_ONCE = 100;

  private static final int FIELDS = 4;
  private static final int NEWEST_FIELDS = 3;

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final RedisScript register = script("register.lua");
  private final RedisScript unregister = script("unregister.lua");
  private final RedisScript find = script("find.lua");

  public RedisConnectionRegistry(RedisCommands commands, RedisKeys keys) {
    this.commands = commands;
    this.keys = keys;
  }

  private static RedisScript script(String name) {
    return RedisScript.resource(RedisConnectionRegistry.class, name);
  }

  /// Enters sessions or makes their entries valid for another while, those of many accounts in one
  /// command, all commands at once. Answers what became of each account.
  Map<AccountId, Future<List<Newest>>> register(Collection<Connection> sessions) {
    Map<AccountId, List<Connection>> byAccount =
        sessions.stream().collect(Collectors.groupingBy(Connection::account));
    Map<AccountId, Future<List<Newest>>> answers = new HashMap<>();
    portions(byAccount.keySet(), keys::connections)
        .forEach(
            accounts -> {
              Future<List<Newest>> answer = register(accounts, byAccount);
              accounts.forEach(account -> answers.put(account, answer));
            });
    return answers;
  }

  /// What goes in one command each.
  private <T> Stream<List<T>> portions(Collection<T> things, Function<T, String> key) {
    return commands.partition(List.copyOf(things), key).stream()
        .flatMap(
            part ->
                IntStream.iterate(0, from -> from < part.size(), from -> from + AT_ONCE)
                    .mapToObj(from -> part.subList(from, Math.min(from + AT_ONCE, part.size()))));
  }

  private Future<List<Newest>> register(
      List<AccountId> accounts, Map<AccountId, List<Connection>> byAccount) {
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(VALIDITY.toMillis()));
    for (int i = 0; i < accounts.size(); i++) {
      for (Connection each : byAccount.getOrDefault(accounts.get(i), List.of())) {
        arguments.add(Integer.toString(i + 1));
        arguments.add(each.device().value());
        arguments.add(each.node().value());
        arguments.add(each.session().value());
        arguments.add(each.fence().text());
      }
    }
    return register
        .run(commands, accounts.stream().map(keys::connections).toList(), arguments)
        .map(contested -> newest(accounts, contested));
  }

  private static List<Newest> newest(List<AccountId> accounts, Response contested) {
    return IntStream.range(0, contested.size() / NEWEST_FIELDS)
        .map(i -> NEWEST_FIELDS * i)
        .mapToObj(
            at ->
                new Newest(
                    accounts.get(contested.get(at).toInteger() - 1),
                    new DeviceId(contested.get(at + 1).toString()),
                    Fence.parse(contested.get(at + 2).toString())))
        .toList();
  }

  /// Removes the entries that are still of these sessions, all commands at once.
  Future<Void> unregister(Collection<Connection> sessions) {
    return Future.join(
            portions(sessions, each -> keys.connections(each.account()))
                .map(this::unregisterAll)
                .toList())
        .mapEmpty();
  }

  private Future<?> unregisterAll(List<Connection> connections) {
    return unregister.run(
        commands,
        connections.stream().map(each -> keys.connections(each.account())).toList(),
        connections.stream()
            .flatMap(each -> Stream.of(each.device().value(), each.fence().text()))
            .toList());
  }

  /// All live sessions of an account, of all devices and nodes, in no order.
  public Future<Connections> find(AccountId account) {
    return find.run(commands, List.of(keys.connections(account)), List.of())
        .map(
            answer ->
                new Connections(
                    IntStream.range(0, answer.size() / FIELDS)
                        .mapToObj(i -> connection(account, answer, FIELDS * i))
                        .toList()));
  }

  private static Connection connection(AccountId account, Response answer, int at) {
    return new Connection(
        account,
        new DeviceId(answer.get(at).toString()),
        new NodeId(answer.get(at + 1).toString()),
        new SessionId(answer.get(at + 2).toString()),
        Fence.parse(answer.get(at + 3).toString()));
  }
}
