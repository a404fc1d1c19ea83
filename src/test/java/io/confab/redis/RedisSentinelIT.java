package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Futures;
import io.confab.testing.OwnSentinels;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.function.IntSupplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A master, a replica and three sentinels.
@ExtendWith(VertxExtension.class)
@Timeout(900)
class RedisSentinelIT {
  private static final Set<String> CHANNELS = Set.of("a", "b");

  private final OwnSentinels redis = OwnSentinels.start(1);
  private final Vertx vertx;
  private final RedisCommands commands;
  private final PubSub pubSub;
  private final Heard heard = new Heard();
  private int said;

  RedisSentinelIT(Vertx vertx) {
    this.vertx = vertx;
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(1));
    this.pubSub = new PubSub(vertx, commands, "node:1:beat");
  }

  @BeforeEach
  void open() {
    commands.open();
    pubSub.open(heard);
    eventually().until(() -> commands.isUp() && pubSub.isUp());
    pubSub.subscribe(CHANNELS);
    eventually().until(() -> heard.confirmed().equals(CHANNELS));
  }

  @AfterEach
  void close() {
    pubSub.close().await();
    commands.close().await();
    redis.close();
  }

  @Test
  void whenTheMasterIsKilledCommandsAndSubscriptionsGoOnAtTheNewOne() {
    int former = redis.master();
    assertAllFlowsAt(redis::master);
    redis.kill(former);
    eventually().until(() -> heard.downs.get() > 0);
    assertAllFlowsAt(() -> redis.masterAfter(former, 0));
    redis.startAgain(former);
    assertAllFlowsAt(() -> redis.masterAfter(0, 1));
  }

  @Test
  void whenTheMasterFreezesAndThawsAllFlowsAtTheNamedOne() {
    int former = redis.master();
    redis.freeze(former);
    assertAllFlowsAt(() -> redis.masterAfter(former, 0));
    redis.thaw(former);
    assertAllFlowsAt(() -> redis.masterAfter(0, 1));
  }

  @Test
  void aFormerMasterThatStillAnswersAndTakesItselfForOneIsLeft() {
    int former = redis.master();
    redis.nameWithoutTelling(redis.replica());
    assertThat(redis.master()).isNotEqualTo(former);
    assertAllFlowsAt(redis::master);
    assertThat(redis.command(former, "ROLE")).startsWith("master");
    eventually()
        .untilAsserted(() -> assertThat(redis.command(former, "PUBSUB", "CHANNELS")).isEmpty());
  }

  @Test
  void aSentinelThatNamesAnotherMasterThanTheOthersIsOutvoted() {
    RedisTopology.Sentinel topology = (RedisTopology.Sentinel) redis.url().topology();
    SentinelMaster master = new SentinelMaster(vertx, topology);
    int port = redis.master();
    redis.nameWithoutTelling(redis.replica(), 0);
    eventually() // of two that stand still none is heard
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(Futures.get(master.locate()).port()).isEqualTo(port));
  }

  /// A command is carried out at the master, whichever it is meanwhile, and each channel is heard.
  private void assertAllFlowsAt(IntSupplier master) {
    String token = "t" + said++;
    eventually()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Futures.get(commands.send("k", Request.cmd(Command.SET).arg("k").arg(token)));
              int port = master.getAsInt();
              assertThat(redis.command(port, "GET", "k")).isEqualTo(token);
              assertThat(redis.command(port, "PUBSUB", "CHANNELS")).contains("beat");
            });
    eventually().until(() -> heard.confirmed().equals(CHANNELS));
    eventually()
        .untilAsserted(
            () -> {
              for (String channel : CHANNELS) {
                commands.publish(channel, token.getBytes(StandardCharsets.UTF_8));
              }
              assertThat(heard.messages).contains("a " + token, "b " + token);
            });
  }

  private static ConditionFactory eventually() {
    return await().atMost(OwnSentinels.LIMIT).pollInterval(Duration.ofMillis(20));
  }
}
