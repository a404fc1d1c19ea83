package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class RedisCommandsIT {
  private static final int MAX_COMMANDS = 100;

  private final OwnRedis redis = OwnRedis.start();
  private final Vertx vertx;
  private final RedisCommands commands;

  RedisCommandsIT(Vertx vertx) {
    this.vertx = vertx;
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30), MAX_COMMANDS);
  }

  @BeforeEach
  void open() {
    commands.open();
    eventually().until(commands::isUp);
  }

  @AfterEach
  void close() {
    commands.close().await();
    redis.close();
  }

  @Test
  void answersMatchTheirCommandsHoweverManyAreUnderWay() {
    List<Future<Response>> answers =
        IntStream.range(0, MAX_COMMANDS).mapToObj(i -> commands.send("k", echo("" + i))).toList();
    Future.all(answers).await();
    assertThat(answers).extracting(answer -> answer.result().toInteger()).isSorted();
  }

  @Test
  void anErrorOfRedisComesAsItIs() {
    assertThatThrownBy(
            () -> commands.send("k", Request.cmd(Command.EVAL).arg("nonsense").arg(0)).await())
        .isNotInstanceOf(Refusal.class)
        .hasMessageContaining("compiling script");
  }

  @Test
  void aCommandThatIsNotAnsweredInTimeIsUnavailableAndTheConnectionIsReplaced() {
    RedisCommands hasty =
        new RedisCommands(vertx, redis.url(), Duration.ofSeconds(1), MAX_COMMANDS);
    hasty.open();
    eventually().until(hasty::isUp);
    redis.freeze();
    assertUnavailable(hasty.send("k", echo("1")));
    eventually().until(() -> !hasty.isUp());
    assertUnavailable(hasty.send("k", echo("2")));
    redis.thaw();
    eventually()
        .ignoreExceptions()
        .until(() -> hasty.send("k", echo("3")).await().toString().equals("3"));
    hasty.close().await();
  }

  @Test
  void moreThanTheBoundIsRefusedAtOnceAndTheRestIsAnswered() {
    redis.freeze();
    List<Future<Response>> within =
        IntStream.range(0, MAX_COMMANDS).mapToObj(i -> commands.send("k", echo("" + i))).toList();
    Future<Response> beyond = commands.send("k", echo("one too many"));
    assertThat(beyond.failed()).isTrue();
    assertUnavailable(beyond);
    redis.thaw();
    Future.join(within).transform(all -> Future.succeededFuture()).await();
    eventually().until(commands::isUp);
    Future.all(
            IntStream.range(0, MAX_COMMANDS)
                .mapToObj(i -> commands.send("k", echo("" + i)))
                .toList())
        .await();
  }

  @Test
  void whileRedisIsAwayCommandsFailAtOnceAndPublicationsAreCounted() {
    redis.kill();
    eventually().until(() -> !commands.isUp());
    Future<Response> answer = commands.send("k", echo("1"));
    assertThat(answer.failed()).isTrue();
    assertUnavailable(answer);
    AtomicInteger lost = new AtomicInteger();
    commands.publish("a", "1".getBytes(StandardCharsets.UTF_8), lost::incrementAndGet);
    assertThat(commands.dropped()).isEqualTo(1);
    assertThat(lost).hasValue(1);
    redis.startAgain();
    eventually().until(commands::isUp);
    assertThat(commands.send("k", echo("2")).await().toString()).isEqualTo("2");
  }

  @Test
  void publicationsBeyondTheBoundAreDroppedAndCounted() {
    redis.freeze();
    for (int i = 0; i < MAX_COMMANDS + 5; i++) {
      commands.publish("a", new byte[10]);
    }
    assertThat(commands.dropped()).isGreaterThanOrEqualTo(5);
    redis.thaw();
  }

  @Test
  void theAnswerComesOnTheContextOfTheCaller() {
    Context caller = vertx.getOrCreateContext();
    Context other = otherThan(caller);
    Promise<Boolean> onCaller = Promise.promise();
    other.runOnContext(
        turn ->
            commands
                .send("k", echo("1"))
                .onSuccess(answer -> onCaller.complete(Vertx.currentContext() == other)));
    assertThat(onCaller.future().await()).isTrue();
  }

  private Context otherThan(Context context) {
    Promise<Context> other = Promise.promise();
    Thread.startVirtualThread(() -> other.complete(vertx.getOrCreateContext()));
    Context found = other.future().await();
    assertThat(found).isNotSameAs(context);
    return found;
  }

  private static void assertUnavailable(Future<Response> answer) {
    assertThatThrownBy(answer::await)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  private static Request echo(String text) {
    return Request.cmd(Command.ECHO).arg(text);
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(10));
  }
}
