package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The master that most sentinels name. A sentinel that was cut off from the others may name a
/// former one for long; and the one named may not know yet that it is the master, or no longer be
/// (https://redis.io/docs/latest/develop/reference/sentinel-clients/).
final class SentinelMaster implements ServerLocator {
  private final List<RedisServer> sentinels;
  private final String name;
  private final Function<RedisServer, Future<RedisServer>> asking;

  SentinelMaster(Vertx vertx, RedisTopology.Sentinel topology) {
    this(
        topology.sentinels(),
        topology.master(),
        sentinel -> ask(new Inquiry(vertx, topology.entry()), sentinel, topology.master()));
  }

  /// @param asking answers whom a sentinel names
  SentinelMaster(
      List<RedisServer> sentinels, String name, Function<RedisServer, Future<RedisServer>> asking) {
    this.sentinels = sentinels;
    this.name = name;
    this.asking = asking;
  }

  @Override
  public Future<RedisServer> locate() {
    List<Future<RedisServer>> votes = sentinels.stream().map(asking).toList();
    Promise<RedisServer> elected = Promise.promise();
    votes.forEach(vote -> vote.onSuccess(_ -> majority(votes).ifPresent(elected::tryComplete)));
    Future.join(votes)
        .transform(_ -> elect(votes))
        .onSuccess(elected::tryComplete)
        .onFailure(elected::tryFail);
    return elected.future();
  }

  private static Future<RedisServer> ask(Inquiry inquiry, RedisServer sentinel, String name) {
    return inquiry
        .ask(sentinel, Request.cmd(Command.SENTINEL).arg("GET-MASTER-ADDR-BY-NAME").arg(name))
        .map(answers -> address(answers.getFirst()));
  }

  private static RedisServer address(Response answer) {
    return new RedisServer(answer.get(0).toString(), answer.get(1).toInteger());
  }

  /// Whom more than half of all sentinels name: the others need not be waited for.
  private Optional<RedisServer> majority(List<Future<RedisServer>> votes) {
    return count(votes).entrySet().stream()
        .filter(named -> 2 * named.getValue() > sentinels.size())
        .map(Map.Entry::getKey)
        .findAny();
  }

  /// Of equals the one that is named by the first sentinel of the list.
  private Future<RedisServer> elect(List<Future<RedisServer>> votes) {
    return count(votes).entrySet().stream()
        .reduce((best, next) -> next.getValue() > best.getValue() ? next : best)
        .map(winner -> Future.succeededFuture(winner.getKey()))
        .orElseGet(
            () ->
                Future.failedFuture(
                    "no sentinel names the master " + name + ": " + votes.getFirst().cause()));
  }

  private static Map<RedisServer, Integer> count(List<Future<RedisServer>> votes) {
    Map<RedisServer, Integer> count = new LinkedHashMap<>();
    votes.stream()
        .filter(Future::succeeded)
        .forEach(vote -> count.merge(vote.result(), 1, Integer::sum));
    return count;
  }

  @Override
  public Future<Void> check(RedisConnection connection) {
    return connection
        .send(Request.cmd(Command.ROLE))
        .compose(
            role ->
                role.get(0).toString().equals("master")
                    ? Future.succeededFuture()
                    : Future.failedFuture("it is a " + role.get(0) + ", not the master"));
  }
}
