package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Origin;
import io.confab.protocol.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LookoutTest {
  private static final Origin BOB = new Origin(new NodeId("bob"), 1);

  private final Isolation isolation = new Isolation();
  private final Lookout lookout =
      new Lookout(isolation, () -> this.now, this::database, () -> this.sentAway++);

  private Future<Void> answer = Future.failedFuture("away");
  private long now;
  private int asked;
  private int sentAway;

  private Future<Void> database() {
    asked++;
    return answer;
  }

  @BeforeEach
  void aPeerIsHeard() {
    isolation.heard(BOB, false, now);
  }

  private void pass(Duration time) {
    for (long end = now + time.toNanos(); now < end; ) {
      now += Duration.ofMillis(500).toNanos();
      lookout.look();
    }
  }

  @Test
  void whoReachesNobodyForTenSecondsSendsItsSocketsAwayOnce() {
    pass(Duration.ofMillis(9_500));
    assertThat(sentAway).isZero();
    pass(Duration.ofMinutes(1));
    assertThat(sentAway).isEqualTo(1);
  }

  @Test
  void theLastNodeStaysWhileTheDatabaseAnswers() {
    answer = Future.succeededFuture();
    pass(Duration.ofMinutes(1));
    assertThat(sentAway).isZero();
  }

  @Test
  void oneQuestionIsUnderWayAtATime() {
    Promise<Void> later = Promise.promise();
    answer = later.future();
    pass(Duration.ofSeconds(5));
    assertThat(asked).isEqualTo(1);
    later.complete();
    pass(Duration.ofSeconds(1));
    assertThat(asked).isEqualTo(3);
  }
}
