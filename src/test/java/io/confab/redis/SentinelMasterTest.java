package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SentinelMasterTest {
  private static final RedisServer OLD = new RedisServer("10.0.0.1", 6379);
  private static final RedisServer NEW = new RedisServer("10.0.0.2", 6379);

  private final List<Promise<RedisServer>> votes =
      Stream.generate(Promise::<RedisServer>promise).limit(3).toList();
  private final Future<RedisServer> located =
      new SentinelMaster(
              List.of(new RedisServer("s", 0), new RedisServer("s", 1), new RedisServer("s", 2)),
              "confab",
              sentinel -> votes.get(sentinel.port()).future())
          .locate();

  @Test
  void aSentinelThatSaysNothingIsNotWaitedForOnceMostOfAllAgree() {
    votes.get(2).complete(NEW);
    assertThat(located.isComplete()).isFalse();
    votes.get(1).complete(NEW);
    assertThat(located.result()).isEqualTo(NEW);
    votes.get(0).complete(OLD);
  }

  @Test
  void withoutAMajorityAllAreWaitedForAndOfEqualsTheFirstOfTheListCounts() {
    votes.get(1).complete(NEW);
    votes.get(0).complete(OLD);
    assertThat(located.isComplete()).isFalse();
    votes.get(2).fail("silent");
    assertThat(located.result()).isEqualTo(OLD);
  }

  @Test
  void oneAnswerIsEnoughWhereTheOthersAreGone() {
    votes.get(0).fail("gone");
    votes.get(1).fail("gone");
    votes.get(2).complete(NEW);
    assertThat(located.result()).isEqualTo(NEW);
  }

  @Test
  void failsWhereNoSentinelAnswers() {
    votes.forEach(vote -> vote.fail("gone"));
    assertThat(located.cause()).hasMessageContaining("no sentinel names the master confab");
  }
}
