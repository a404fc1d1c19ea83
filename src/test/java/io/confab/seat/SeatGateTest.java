package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.seat.SeatGate.Turn;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeatGateTest {
  private static final int MANY = 2_500;

  private long now;
  private final List<String> begun = new ArrayList<>();
  private final SeatGate gate = new SeatGate(() -> now, new SplittableRandom(1));

  private Promise<String> passes(Turn turn, int accounts, String name, List<Future<String>> all) {
    Promise<String> work = Promise.promise();
    all.add(
        gate.pass(
            turn,
            accounts,
            () -> {
              begun.add(name);
              return work.future();
            }));
    return work;
  }

  private Promise<String> passes(Turn turn, int accounts, String name) {
    return passes(turn, accounts, name, new ArrayList<>());
  }

  @Test
  void soManyGoAtATimeAndTheOthersInTheirOrder() {
    Promise<String> first = passes(Turn.KEEP, MANY, "a");
    passes(Turn.KEEP, MANY, "b");
    passes(Turn.KEEP, 1, "c");
    assertThat(begun).containsExactly("a");
    first.complete("");
    assertThat(begun).containsExactly("a", "b", "c");
  }

  @Test
  void whoKeepsSomethingGoesBeforeWhoWantsSomething() {
    Promise<String> first = passes(Turn.ENTER, MANY, "a");
    passes(Turn.ENTER, MANY, "b");
    passes(Turn.KEEP, MANY, "c");
    first.complete("");
    assertThat(begun).containsExactly("a", "c");
  }

  @Test
  void oneThatIsTooLargeGoesAlone() {
    passes(Turn.KEEP, 100 * MANY, "a");
    assertThat(begun).containsExactly("a");
  }

  @Test
  void whoWaitedTooLongIsToldWhenToComeAgain() {
    List<Future<String>> all = new ArrayList<>();
    Promise<String> first = passes(Turn.ENTER, MANY, "a", all);
    passes(Turn.ENTER, MANY, "b", all);
    now += Duration.ofSeconds(4).toNanos();
    passes(Turn.ENTER, MANY, "c", all);
    first.complete("");
    assertThat(begun).containsExactly("a", "c");
    assertThat(all.get(1).cause())
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(refusal.retryAfter().orElseThrow())
                  .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
            });
  }

  @Test
  void moreThanMayWaitAreRefusedAtOnce() {
    passes(Turn.ENTER, 100 * MANY, "a");
    List<Future<String>> all = new ArrayList<>();
    for (int i = 0; i <= SeatGate.MOST_WAITING; i++) {
      passes(Turn.ENTER, 1, "b", all);
    }
    assertThat(all.getLast().failed()).isTrue();
    assertThat(all.get(all.size() - 2).isComplete()).isFalse();
    assertThat(passes(Turn.KEEP, 1, "c").future().isComplete()).isFalse();
  }

  @Test
  void callsThatFailAtOnceDoNotPileUp() {
    Promise<String> first = passes(Turn.KEEP, 100 * MANY, "a");
    List<Future<String>> all = new ArrayList<>();
    for (int i = 0; i < SeatGate.MOST_WAITING; i++) {
      all.add(gate.pass(Turn.KEEP, 1, () -> Future.failedFuture("away")));
    }
    first.complete("");
    assertThat(all).allMatch(Future::failed);
  }
}
