package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PipelineTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long LOOK = Pipeline.period(TIMEOUT).toNanos();

  private final Promise<Response> answer = Promise.promise();
  private boolean refusing;
  private long now;
  private final Pipeline pipeline = new Pipeline(silent(), TIMEOUT, () -> this.now);

  /// A connection to a server that answers when it is told to.
  private RedisConnection silent() {
    return (RedisConnection)
        Proxy.newProxyInstance(
            RedisConnection.class.getClassLoader(),
            new Class<?>[] {RedisConnection.class},
            (_, _, _) -> refusing ? Future.failedFuture("full") : answer.future());
  }

  private boolean look(long later) {
    now += later;
    return pipeline.isOverdue();
  }

  private int looksUntilOverdue() {
    int looks = 1;
    while (!look(LOOK)) {
      looks++;
    }
    return looks;
  }

  @Test
  void aServerThatDoesNotAnswerInTimeIsStuck() {
    pipeline.send(Request.cmd(Command.PING));
    assertThat(looksUntilOverdue()).isEqualTo(10);
  }

  @Test
  void aServerThatAnsweredOrWasNotAskedIsNot() {
    pipeline.send(Request.cmd(Command.PING));
    assertThat(look(LOOK)).isFalse();
    answer.complete();
    for (int i = 0; i < 10; i++) {
      assertThat(look(LOOK)).isFalse();
    }
  }

  @Test
  void whatTheClientRefusesAtOnceIsNotTakenForTheAnswerToTheOldest() {
    pipeline.send(Request.cmd(Command.PING));
    for (int i = 0; i < 4; i++) {
      look(LOOK);
    }
    refusing = true;
    pipeline.send(Request.cmd(Command.PING));
    assertThat(looksUntilOverdue()).isEqualTo(6);
  }

  @Test
  void theOwnSleepIsNotTheSilenceOfTheServer() {
    pipeline.send(Request.cmd(Command.PING));
    for (int i = 0; i < 8; i++) {
      assertThat(look(LOOK)).isFalse();
    }
    assertThat(look(Duration.ofMinutes(1).toNanos())).as("before the answer is read").isFalse();
    assertThat(look(LOOK)).as("if it is silent now, too").isTrue();
  }

  @Test
  void aServerGetsNoMoreLooksFromANodeThatIsAlwaysLate() {
    pipeline.send(Request.cmd(Command.PING));
    for (int i = 0; i < 9; i++) {
      assertThat(look(TIMEOUT.multipliedBy(5).toNanos())).isFalse();
    }
    assertThat(look(TIMEOUT.multipliedBy(5).toNanos())).isTrue();
  }
}
