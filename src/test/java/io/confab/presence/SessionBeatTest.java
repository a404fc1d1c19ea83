package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionBeatTest {
  private static final int ROUND = 30;

  private final List<List<Connection>> registered = new ArrayList<>();
  private final List<Connection> unregistered = new ArrayList<>();
  private long now;
  private Future<Void> answer = Future.succeededFuture();
  private final SessionBeat beat =
      new SessionBeat(
          batch -> {
            registered.add(batch);
            return answer;
          },
          unregistered::add,
          () -> this.now);

  @Test
  void aSessionIsEnteredAtOnce() {
    beat.add(connection(1));
    assertThat(registered).containsExactly(List.of(connection(1)));
  }

  @Test
  void everySessionIsRefreshedOnceARoundInBatchesOfAtMostFiveHundred() {
    for (int i = 0; i < 20_000; i++) {
      beat.add(connection(i));
    }
    registered.clear();
    round();
    assertThat(registered).allMatch(batch -> batch.size() <= 500);
    assertThat(registered.stream().flatMap(List::stream)).hasSize(20_000).doesNotHaveDuplicates();
  }

  @Test
  void whatWasNeverAnsweredIsTriedAgainEverySecondInBatches() {
    answer = Future.failedFuture("away");
    for (int i = 0; i < 1_200; i++) {
      beat.add(connection(i));
    }
    registered.clear();
    tick();
    assertThat(registered.getFirst()).hasSize(500);
    answer = Future.succeededFuture();
    tick();
    tick();
    tick();
    registered.clear();
    round();
    assertThat(registered.stream().flatMap(List::stream)).hasSize(1_200).doesNotHaveDuplicates();
  }

  @Test
  void aSessionThatEndedIsRemovedAndNotRefreshed() {
    beat.add(connection(1));
    registered.clear();
    beat.remove(connection(1));
    round();
    assertThat(registered).isEmpty();
    assertThat(unregistered).containsExactly(connection(1));
  }

  @Test
  void aSessionThatEndedBeforeItWasAnsweredIsNotTriedAgain() {
    answer = Future.failedFuture("away");
    beat.add(connection(1));
    beat.remove(connection(1));
    registered.clear();
    round();
    assertThat(registered).isEmpty();
  }

  @Test
  void aSessionThatEndedWhileItWasEnteredIsRemovedOnceMore() {
    Promise<Void> late = Promise.promise();
    answer = late.future();
    beat.add(connection(1));
    beat.remove(connection(1));
    unregistered.clear();
    late.complete();
    assertThat(unregistered).containsExactly(connection(1));
  }

  @Test
  void nothingPilesUpWhileTheRegistryIsSilentAndAFailureIsFollowedByTheNextRound() {
    beat.add(connection(1));
    registered.clear();
    Promise<Void> silent = Promise.promise();
    answer = silent.future();
    round();
    round();
    assertThat(registered).hasSize(1);
    silent.fail("time-out");
    round();
    assertThat(registered).hasSize(2);
  }

  private void tick() {
    tick(1);
  }

  private void tick(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
    beat.tick();
  }

  private void round() {
    for (int i = 0; i < ROUND; i++) {
      tick();
    }
  }

  @Test
  void aNodeThatIsAlwaysLateRefreshesAsOften() {
    for (int i = 0; i < 1_000; i++) {
      beat.add(connection(i));
    }
    registered.clear();
    for (int late = 0; late < ROUND; late += 3) {
      tick(3);
    }
    assertThat(registered.stream().flatMap(List::stream)).hasSize(1_000).doesNotHaveDuplicates();
  }

  @Test
  void aNodeThatSleptForLongRefreshesEachOnceAndNotAllAtATime() {
    for (int i = 0; i < ROUND; i++) {
      beat.add(connection(i));
    }
    registered.clear();
    tick(100 * ROUND);
    assertThat(registered).hasSizeLessThan(ROUND);
    for (int i = 0; i < 8; i++) {
      tick(0);
    }
    assertThat(registered.stream().flatMap(List::stream)).hasSize(ROUND).doesNotHaveDuplicates();
  }

  private static Connection connection(int i) {
    return new Connection(
        new AccountId(i),
        new DeviceId("web"),
        new NodeId("n"),
        new SessionId("s" + i),
        new Fence(new Epoch(1), i));
  }
}
