package io.confab.limit;

import io.confab.protocol.Refusal;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;

/// Tries in Redis, by the rule of [Tries]: keys `limit:tries:{<who>}`. Fails with `unavailable`
/// while Redis is away, and when it does not answer within [#PATIENCE].
public final class RedisTries implements SharedTries {
  static final Duration PATIENCE = Duration.ofMillis(100);
  private static final String WHAT = "tries";

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final Vertx vertx;
  private final Duration patience;
  private final RedisScript begin = RedisScript.resource(RedisTries.class, "try.lua");
  private final RedisScript withdraw = RedisScript.resource(RedisTries.class, "withdraw.lua");

  public RedisTries(Vertx vertx, RedisCommands commands, RedisKeys keys) {
    this(vertx, commands, keys, PATIENCE);
  }

  RedisTries(Vertx vertx, RedisCommands commands, RedisKeys keys, Duration patience) {
    this.vertx = vertx;
    this.patience = patience;
    this.commands = commands;
    this.keys = keys;
  }

  /// Completes on the context of the caller, whether Redis answers or not.
  @Override
  public Future<Duration> begin(String who) {
    Promise<Duration> answer = Promise.promise();
    long late =
        vertx.setTimer(
            patience.toMillis(), _ -> answer.tryFail(Refusal.unavailable("Redis is late")));
    ask(who)
        .onComplete(
            asked -> {
              vertx.cancelTimer(late);
              if (asked.succeeded()) {
                answer.tryComplete(asked.result());
              } else {
                answer.tryFail(asked.cause());
              }
            });
    return answer.future();
  }

  private Future<Duration> ask(String who) {
    return begin
        .run(
            commands,
            List.of(keys.limit(WHAT, who)),
            List.of(
                Integer.toString(Tries.FREE),
                millis(Tries.FIRST_WAIT),
                millis(Tries.LONGEST_WAIT),
                millis(Tries.MEMORY)))
        .map(wait -> Duration.ofMillis(wait.toLong()));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  @Override
  public Future<Void> withdraw(String who) {
    return withdraw.run(commands, List.of(keys.limit(WHAT, who)), List.of()).mapEmpty();
  }

  @Override
  public Future<Void> forget(String who) {
    String key = keys.limit(WHAT, who);
    return commands.send(key, Request.cmd(Command.DEL).arg(key)).mapEmpty();
  }
}
