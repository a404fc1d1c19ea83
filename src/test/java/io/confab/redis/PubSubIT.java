package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.OwnRedis;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class PubSubIT {
  private static final Set<String> CHANNELS = Set.of("a", "b");

  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final Context loop;
  private final PubSub pubSub;
  private final Heard heard = new Heard();

  PubSubIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.loop = vertx.getOrCreateContext();
    Promise<PubSub> made = Promise.promise();
    loop.runOnContext(_ -> made.complete(new PubSub(vertx, commands, "node:1:beat")));
    this.pubSub = made.future().await();
  }

  @BeforeEach
  void open() {
    commands.open();
    pubSub.open(heard);
    eventually().until(() -> commands.isUp() && pubSub.isUp());
  }

  @AfterEach
  void close() {
    pubSub.close().await();
    commands.close().await();
    redis.close();
  }

  @Test
  void messagesArriveInOrderOnceTheServerConfirmed() {
    int losses;
    do { // until the connection stays
      losses = heard.downs.get();
      heard.messages.clear();
      subscribe(CHANNELS);
      publish("a", "1");
      publish("a", "2");
      publish("b", "3");
      publish("c", "4");
      publish("a", "5");
      int before = losses;
      eventually().until(() -> heard.messages.contains("a 5") || heard.downs.get() > before);
    } while (heard.downs.get() > losses);
    assertThat(heard.messages).containsExactly("a 1", "a 2", "b 3", "a 5");
  }

  @Test
  void anUnsubscribedChannelIsNoLongerHeard() {
    subscribe(CHANNELS);
    pubSub.unsubscribe(Set.of("a"));
    eventually().until(() -> subscribers("a") == 0);
    eventually()
        .until(
            () -> {
              publish("a", "1");
              publish("b", "2");
              return heard.messages.contains("b 2");
            });
    assertThat(heard.messages).containsOnly("b 2");
  }

  @Test
  void aChannelGivenUpAndWantedAgainAtOnceIsHeard() {
    subscribe(CHANNELS);
    for (int i = 0; i < 100; i++) {
      pubSub.unsubscribe(Set.of("a"));
      pubSub.subscribe(Set.of("a"));
    }
    subscribe(Set.of("last"));
    eventually().until(() -> subscribers("a") == 1);
    messagesFlow();
  }

  @Test
  void aChannelThatIsHeardAlreadyIsConfirmedAgainToWhoWantsIt() {
    subscribe(CHANNELS);
    int before = heard.confirmations.get();
    pubSub.subscribe(Set.of("a"));
    eventually().until(() -> heard.confirmations.get() > before);
  }

  @Test
  void afterTheServerWasKilledAndStartedAgainEverythingIsSubscribedAgain() {
    subscribe(CHANNELS);
    redis.kill();
    eventually().until(() -> heard.downs.get() > 0 && !pubSub.isUp());
    pubSub.subscribe(Set.of("while-away"));
    redis.startAgain();
    eventually().until(() -> heard.confirmed().containsAll(Set.of("a", "b", "while-away")));
    messagesFlow();
  }

  @Test
  void aFrozenServerIsNoticedAndHeardAgainWhenItThaws() {
    subscribe(CHANNELS);
    redis.freeze();
    eventually().until(() -> heard.downs.get() > 0 && !pubSub.isUp());
    redis.thaw();
    eventually().until(() -> heard.confirmed().containsAll(CHANNELS));
    messagesFlow();
  }

  @Test
  void aLoopThatStoodStillForLongKeepsItsSubscription() throws InterruptedException {
    subscribe(CHANNELS);
    CountDownLatch goesOn = new CountDownLatch(1);
    loop.runOnContext(_ -> standStill(goesOn));
    assertThat(goesOn.await(1, TimeUnit.MINUTES)).isTrue();
    publish("a", "1");
    eventually().until(() -> heard.messages.contains("a 1"));
    assertThat(heard.downs).hasValue(0);
  }

  /// For as many beats as end a silent subscription, and some more.
  private static void standStill(CountDownLatch goesOn) {
    LockSupport.parkNanos(Duration.ofSeconds(7).toNanos());
    goesOn.countDown();
  }

  @Test
  void aConnectionThatTheServerKillsIsReplaced() {
    subscribe(CHANNELS);
    send(Request.cmd(Command.CLIENT).arg("KILL").arg("TYPE").arg("pubsub"));
    eventually().until(() -> heard.downs.get() > 0);
    eventually().until(() -> heard.confirmed().containsAll(CHANNELS));
    messagesFlow();
  }

  @Test
  void fiveThousandChannelsWantedOneByOneAreConfirmedInBulkEachTime() {
    Set<String> many =
        IntStream.range(0, 5_000).mapToObj(i -> "room:" + i).collect(Collectors.toSet());
    loop.runOnContext(_ -> many.forEach(channel -> pubSub.subscribe(Set.of(channel))));
    eventually().until(() -> heard.confirmed().size() == 5_000);
    assertThat(calls("subscribe")).isLessThan(200);
    long before = calls("subscribe");
    send(Request.cmd(Command.CLIENT).arg("KILL").arg("TYPE").arg("pubsub"));
    eventually().until(() -> heard.downs.get() > 0);
    eventually().until(() -> heard.confirmed().size() == 5_000);
    assertThat(calls("subscribe") - before).isBetween(10L, 20L * heard.downs.get());
    eventually()
        .until(
            () -> {
              publish("room:4999", "1");
              return heard.messages.contains("room:4999 1");
            });
  }

  private void subscribe(Set<String> channels) {
    pubSub.subscribe(channels);
    eventually().until(() -> heard.confirmed().containsAll(channels));
  }

  private void messagesFlow() {
    eventually()
        .untilAsserted(
            () -> {
              publish("a", "again");
              publish("b", "again");
              assertThat(heard.messages).contains("a again", "b again");
            });
  }

  private void publish(String channel, String text) {
    commands.publish(channel, text.getBytes(StandardCharsets.UTF_8));
  }

  private long subscribers(String channel) {
    return send(Request.cmd(Command.PUBSUB).arg("NUMSUB").arg(channel)).get(channel).toLong();
  }

  /// How often the server has carried out a command.
  private long calls(String command) {
    String stats = send(Request.cmd(Command.INFO).arg("commandstats")).toString();
    return stats
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=([0-9]+).*", "$1")))
        .findFirst()
        .orElse(0);
  }

  private Response send(Request request) {
    Future<Response> answer = commands.send("k", request);
    return answer.await();
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(10));
  }
}
