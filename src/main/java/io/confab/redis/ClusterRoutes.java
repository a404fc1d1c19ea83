package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Each command goes to the master of its key's slot, over one connection to each master.
///
/// A command that its server did not carry out, because the slot has moved or is moving, goes to
/// the right one, at most so many times. One that was sent on a connection that broke is not
/// repeated: nobody knows whether it was carried out.
final class ClusterRoutes implements CommandRoutes {
  private static final int MAX_TRIES = 5;

  private final CommandConnection.Plan plan;
  private final ClusterMap map;
  private final Map<RedisServer, CommandConnection> connections = new ConcurrentHashMap<>();

  ClusterRoutes(CommandConnection.Plan plan, RedisTopology.Cluster topology) {
    this.plan = plan;
    this.map = new ClusterMap(plan.vertx(), plan.context(), topology);
  }

  @Override
  public void open() {
    map.follow(this::follow);
    map.open();
  }

  private void follow(SlotMap fresh) {
    connections
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !fresh.masters().contains(entry.getKey());
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
    fresh.masters().forEach(this::connection);
  }

  private CommandConnection connection(RedisServer server) {
    return connections.computeIfAbsent(
        server,
        fresh -> {
          CommandConnection connection = new CommandConnection(plan, new FixedServer(fresh));
          connection.open();
          return connection;
        });
  }

  @Override
  public boolean isUp() {
    return !connections.isEmpty()
        && connections.values().stream().allMatch(CommandConnection::isUp);
  }

  @Override
  public boolean reaches(String key) {
    return map.current()
        .master(key)
        .flatMap(master -> Optional.ofNullable(connections.get(master)))
        .filter(CommandConnection::isUp)
        .isPresent();
  }

  @Override
  public boolean isOneServer() {
    return false;
  }

  @Override
  public Future<Response> send(String key, Request request) {
    return send(() -> map.current().master(key), request, 1);
  }

  private Future<Response> send(
      Supplier<Optional<RedisServer>> inCharge, Request request, int attempt) {
    return inCharge
        .get()
        .map(
            server ->
                connection(server)
                    .send(request)
                    .recover(failure -> redirect(inCharge, request, attempt, server, failure)))
        .orElseGet(RedisError::away);
  }

  private Future<Response> redirect(
      Supplier<Optional<RedisServer>> inCharge,
      Request request,
      int attempt,
      RedisServer from,
      Throwable failure) {
    Optional<Redirect> redirect = Redirect.of(failure, from);
    if (redirect.isEmpty() || attempt == MAX_TRIES) {
      return Future.failedFuture(failure);
    }
    return switch (redirect.get()) {
      case Redirect.Ask(RedisServer to) when connection(to).isUp() ->
          connection(to)
              .sendAsking(request)
              .recover(again -> redirect(inCharge, request, attempt + 1, to, again));
      case Redirect.Moved(int _, RedisServer to) when connection(to).isUp() -> {
        map.refresh();
        yield send(() -> Optional.of(to), request, attempt + 1);
      }
      case Redirect.Ask _, Redirect.Moved _, Redirect.Later _ -> {
        map.refresh();
        yield plan.vertx()
            .timer(ClusterMap.PAUSE.toMillis())
            .compose(_ -> send(inCharge, request, attempt + 1));
      }
    };
  }

  @Override
  public Future<Integer> publish(List<Publication> publications) {
    Map<RedisServer, List<Publication>> byMaster = new LinkedHashMap<>();
    int lost = 0;
    for (Publication each : publications) {
      Optional<RedisServer> master = map.current().master(each.channel());
      if (master.isPresent()) {
        byMaster.computeIfAbsent(master.get(), server -> new ArrayList<>()).add(each);
      } else {
        lost++;
      }
    }
    int unplaced = lost;
    List<Future<Integer>> batches =
        byMaster.entrySet().stream()
            .map(batch -> publish(connection(batch.getKey()), batch.getValue()))
            .toList();
    return Future.all(batches)
        .map(all -> batches.stream().mapToInt(Future::result).sum() + unplaced);
  }

  /// What the server refuses goes the way of single commands, which may lead to another server.
  private Future<Integer> publish(CommandConnection connection, List<Publication> batch) {
    return connection
        .publish(Command.SPUBLISH, batch)
        .compose(
            refused -> {
              List<Future<Response>> again =
                  refused.stream()
                      .map(each -> send(each.channel(), each.request(Command.SPUBLISH)))
                      .toList();
              return Future.join(again)
                  .transform(
                      all ->
                          Future.succeededFuture(
                              (int) again.stream().filter(Future::failed).count()));
            })
        .otherwise(batch.size());
  }

  @Override
  public Future<Void> ping() {
    List<Future<Response>> answers =
        connections.values().stream()
            .map(connection -> connection.send(Request.cmd(Command.PING)))
            .toList();
    return answers.isEmpty() ? RedisError.away() : Future.all(answers).mapEmpty();
  }

  @Override
  public Future<RedisInstances> instances() {
    List<Future<RedisInstance>> answers =
        connections.values().stream().map(CommandConnection::instance).toList();
    return Future.join(answers)
        .transform(
            _ -> {
              List<RedisInstance> found =
                  answers.stream().filter(Future::succeeded).map(Future::result).toList();
              return found.isEmpty()
                  ? RedisError.away()
                  : Future.succeededFuture(
                      new RedisInstances(found, found.size() == answers.size()));
            });
  }

  @Override
  public Future<List<RedisServer>> servers() {
    return Future.succeededFuture(List.copyOf(connections.keySet()));
  }

  @Override
  public ChannelSubscriber subscriber(Context context, ChannelSubscriber.Owner owner) {
    return new ShardedSubscriber(
        new SubscribedConnection.Plan(plan.vertx(), context, plan.login(), Dialect.SHARDED),
        map,
        owner);
  }

  @Override
  public Future<Void> close() {
    map.close();
    return Future.join(connections.values().stream().map(CommandConnection::close).toList())
        .mapEmpty();
  }
}
