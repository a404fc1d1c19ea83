package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Rate;
import io.confab.listener.ClientAddress;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class RedisBucketsIT {
  /// So slow that none comes back during a test.
  private static final Rate SLOW = new Rate(1, Duration.ofHours(1), 40);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Rate LARGE = new Rate(1, Duration.ofHours(1), 1_000);

  private final OwnRedis redis = OwnRedis.start();
  private final Vertx vertx;
  private final RedisCommands commands;
  private final RedisKeys keys = new RedisKeys("test:");
  private final RedisBuckets buckets;
  private final RedisTries tries;

  RedisBucketsIT(Vertx vertx) {
    this.vertx = vertx;
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.buckets = new RedisBuckets(commands, keys);
    this.tries = new RedisTries(vertx, commands, keys, PATIENCE);
  }

  @BeforeEach
  void open() {
    commands.open();
    await().until(commands::isUp);
  }

  @AfterEach
  void close() {
    commands.close().await();
    redis.close();
  }

  private Limits node() {
    return new Limits(
        TestConfig.rates(Map.of("signUps", SLOW)), buckets, _ -> {}, System::nanoTime);
  }

  private static boolean take(Limits node, String who) {
    try {
      node.take(Limit.SIGN_UPS, who);
      return true;
    } catch (Refusal _) {
      return false;
    }
  }

  private long ttl(String key) {
    return commands.send(key, Request.cmd(Command.PTTL).arg(key)).await().toLong();
  }

  @Test
  void whatIsTakenIsMissingUntilItCameBackAndTheKeyLivesAsLong() {
    Duration one = buckets.take(Limit.SENDS, "a", SLOW, 1).await();
    Duration two = buckets.take(Limit.SENDS, "a", SLOW, 3).await();

    assertThat(one).isEqualTo(Duration.ofHours(1));
    assertThat(two).isBetween(Duration.ofMinutes(239), Duration.ofHours(4));
    assertThat(ttl("test:limit:sends:{a}"))
        .isBetween(Duration.ofMinutes(239).toMillis(), Duration.ofHours(4).toMillis());
    assertThat(buckets.take(Limit.SENDS, "b", SLOW, 1).await()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void whatIsGivenBackIsThereForAllNodes() {
    buckets.take(Limit.SENDS, "c", SLOW, 3).await();
    assertThat(buckets.take(Limit.SENDS, "c", SLOW, -2).await())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    assertThat(buckets.take(Limit.SENDS, "c", SLOW, -2).await()).isZero();
    assertThat(ttl("test:limit:sends:{c}")).isEqualTo(-2);
    assertThat(buckets.take(Limit.SENDS, "c", SLOW, 1).await()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void takingAtTheSameMomentLosesNothing() {
    List<Future<Duration>> all =
        IntStream.range(0, 100).mapToObj(_ -> buckets.take(Limit.SENDS, "a", LARGE, 2)).toList();
    Future.all(all).await();
    assertThat(buckets.take(Limit.SENDS, "a", LARGE, 1).await())
        .isBetween(Duration.ofHours(200), Duration.ofHours(201));
  }

  @Test
  void aNodeLearnsWhatAnotherLetThrough() {
    Limits one = node();
    Limits two = node();
    for (int i = 0; i < 40; i++) {
      assertThat(take(one, "a")).isTrue();
    }
    assertThat(take(one, "a")).isFalse();
    await()
        .until(
            () ->
                buckets.take(Limit.SIGN_UPS, "a", SLOW, 0).await().compareTo(Duration.ofHours(39))
                    > 0);
    assertThat(take(two, "a")).isTrue(); // it asks nobody before the first
    await().until(() -> !take(two, "a"));
    assertThat(take(two, "b")).isTrue();
  }

  @Test
  void twoNodesTogetherLetThroughTheBurstAndLittleMore() {
    Limits one = node();
    Limits two = node();
    buckets.take(Limit.SIGN_UPS, "somebody", SLOW, 0).await(); // so that Redis knows the script
    int taken = 0;
    for (int i = 0; i < 80; i++) {
      taken += take(i % 2 == 0 ? one : two, "a") ? 1 : 0;
      commands.ping().await(); // an answer that was on its way is there
    }
    assertThat(taken).isBetween(40, 44);
  }

  @Test
  void whileRedisIsAwayEachNodeCountsAlone() {
    redis.kill();
    await().until(() -> !commands.isUp());
    for (Limits node : List.of(node(), node())) {
      long taken = IntStream.range(0, 60).filter(_ -> take(node, "a")).count();
      assertThat(taken).isEqualTo(40);
    }
  }

  @Test
  void aFrozenRedisHoldsNobodyUp() {
    redis.freeze();
    try {
      Limits node = node();
      long taken = IntStream.range(0, 60).filter(_ -> take(node, "a")).count();
      assertThat(taken).isEqualTo(40);

      SignInThrottle throttle =
          new SignInThrottle(node, new RedisTries(vertx, commands, keys), System::nanoTime);
      ClientAddress from = ClientAddress.parse("192.0.2.1").orElseThrow();
      assertThat(
              throttle
                  .attempt(
                      new Visitor("ada", from, Optional.empty(), false),
                      ErrorCode.UNAUTHORIZED,
                      () -> Future.succeededFuture("in"))
                  .await())
          .isEqualTo("in");
    } finally {
      redis.thaw();
    }
  }

  @Test
  void aTryThatIsTakenBackLeavesThoseBeforeIt() {
    ask(Command.HSET, "test:limit:tries:{ada-home}", "n", "18");
    assertThat(tries.begin("ada-home").await()).isZero();
    tries.withdraw("ada-home").await();
    assertThat(tries.begin("ada-home").await()).as("the next may begin at once").isZero();
    assertThat(tries.begin("ada-home").await()).as("as slow as before").isPositive();
    tries.begin("bob").await();
    tries.withdraw("bob").await();
    tries.withdraw("bob").await();
    assertThat(ask(Command.EXISTS, "test:limit:tries:{bob}").toInteger()).isZero();
  }

  @Test
  void triesOfAllNodesCountTogetherAndSuccessEndsTheWait() {
    RedisTries other = new RedisTries(vertx, commands, keys, PATIENCE);
    ask(Command.HSET, "test:limit:tries:{ada-home}", "n", "18");
    assertThat(tries.begin("ada-home").await()).isZero();
    assertThat(other.begin("ada-home").await()).isPositive();
    assertThat(other.begin("ada-work").await()).isZero();

    tries.forget("ada-home").await();
    assertThat(other.begin("ada-home").await()).isZero();
  }

  @Test
  void theWaitDoublesUpToTheLongestAsTheRuleSays() {
    Tries rule = Tries.none(0);
    for (int i = 1; i <= 20; i++) {
      rule = rule.begin(0);
      long expected = rule.delay(0).toMillis();
      String key = "test:limit:tries:{w%d}".formatted(i);
      ask(Command.HSET, key, "n", Integer.toString(i - 1));
      long before = redisMillis(key);
      assertThat(tries.begin("w" + i).await()).isZero();
      long next = ask(Command.HGET, key, "until").toLong();
      assertThat(next - expected).isBetween(before, redisMillis(key));
    }
  }

  private Response ask(Command command, String key, String... arguments) {
    Request request = Request.cmd(command).arg(key);
    for (String each : arguments) {
      request.arg(each);
    }
    return commands.send(key, request).await();
  }

  private long redisMillis(String key) {
    Response time = commands.send(key, Request.cmd(Command.TIME)).await();
    return time.get(0).toLong() * 1_000 + time.get(1).toLong() / 1_000;
  }

  @Test
  void manyTriesAtTheSameMomentAreNoWayAround() {
    List<Future<Duration>> all =
        IntStream.range(0, 100).mapToObj(_ -> tries.begin("ada-home")).toList();
    Future.all(all).await();
    // a Redis that stands still in their midst lets one more through
    assertThat(all).filteredOn(answer -> answer.result().isZero()).hasSizeBetween(5, 7);
  }
}
