package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.ErrorCode;
import io.confab.testing.Futures;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Redis that dies without a word: open connections stay open and carry nothing, new ones work.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SilentRedisIT {
  private static final Set<String> CHANNELS = Set.of("a", "b");

  private final OwnRedis redis = OwnRedis.start();
  private final TcpProxy way = TcpProxy.before(redis.address(), Filter::none);
  private final RedisCommands commands;
  private final PubSub pubSub;
  private final Heard heard = new Heard();
  private int round;

  SilentRedisIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, RedisUrl.parse(way.url()), Duration.ofSeconds(2));
    Context loop = vertx.getOrCreateContext();
    Promise<PubSub> made = Promise.promise();
    loop.runOnContext(_ -> made.complete(new PubSub(vertx, commands, "node:1:beat")));
    this.pubSub = Futures.get(made.future());
  }

  @BeforeEach
  void open() {
    commands.open();
    pubSub.open(heard);
    pubSub.subscribe(CHANNELS);
    awaitAll();
  }

  @AfterEach
  void close() {
    Futures.get(pubSub.close());
    Futures.get(commands.close());
    way.close();
    redis.close();
  }

  private Future<Response> echo() {
    return commands.send("k", Request.cmd(Command.ECHO).arg("said"));
  }

  /// Answers once a command is answered and all channels hear what is published from now on.
  private void awaitAll() {
    String text = "round " + ++round;
    await()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(Futures.get(echo()).toString()).isEqualTo("said");
              CHANNELS.forEach(
                  channel -> commands.publish(channel, text.getBytes(StandardCharsets.UTF_8)));
              assertThat(heard.messages).contains("a " + text, "b " + text);
            });
  }

  @Test
  void whatIsUnderWayIsRefusedAndAllGoesOnOverNewConnections() {
    way.conduct(Conduct.HOLD);
    Future<?> underWay = Future.join(IntStream.range(0, 100).mapToObj(_ -> echo()).toList());
    assertThat(way.silence()).isPositive();
    way.conduct(Conduct.PASS);
    assertThat(Futures.refusal(underWay)).isEqualTo(ErrorCode.UNAVAILABLE);
    awaitAll();
  }

  @Test
  void aSubscriptionOverWhichNothingComesAnyMoreIsReplaced() {
    heard.forgetLosses();
    assertThat(way.silence()).isPositive();
    await().until(() -> heard.lost().containsAll(CHANNELS));
    await().until(() -> heard.confirmed().containsAll(CHANNELS));
    awaitAll();
  }

  @Test
  void aConnectionThatIsNotGreetedIsTriedAgain() {
    way.conduct(Conduct.HOLD);
    way.silence();
    long before = way.accepted();
    await().until(() -> !commands.isUp() && !pubSub.isUp() && way.accepted() >= before + 4);
    way.silence(); // those as well that were made meanwhile
    way.conduct(Conduct.PASS);
    awaitAll();
  }
}
