package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.seat.SeatGate.Turn;
import io.confab.time.Timing;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeatGateTest {
  private static final int MANY = 2_500;

  private long now;
  private final List<String> begun = new ArrayList<>();
  private final Vertx vertx = Vertx.vertx();
  private final List<Pause> pauses = new ArrayList<>();
  private final SeatGate gate =
      new SeatGate(
          new Timing() {
            @Override
            public long nanoTime() {
              return now;
            }

            @Override
            public Future<Void> pause(Duration duration) {
              Pause pause = new Pause(now + duration.toNanos(), Promise.promise());
              pauses.add(pause);
              return pause.end().future();
            }
          },
          new SplittableRandom(1));

  private record Pause(long at, Promise<Void> end) {}

  private void pass(Duration time) {
    now += time.toNanos();
    List<Pause> over = pauses.stream().filter(pause -> pause.at() <= now).toList();
    pauses.removeAll(over);
    over.forEach(pause -> pause.end().complete());
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

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

  @Test
  void whoWantsSomethingWaitsNoLongerBehindThoseWhoKeepSomething() {
    List<Future<String>> all = new ArrayList<>();
    passes(Turn.KEEP, MANY, "a", all);
    passes(Turn.KEEP, MANY, "b", all);
    passes(Turn.ENTER, 1, "c", all);
    pass(Duration.ofSeconds(3).plusMillis(1));
    assertThat(all).extracting(Future::failed).containsExactly(false, false, true);
    pass(Duration.ofSeconds(2));
    assertThat(all).extracting(Future::failed).containsExactly(false, true, true);
    assertThat(pauses).as("nobody waits any more").isEmpty();
  }

  @Test
  void aCallerThatFailsKeepsNobodyFromGoingOn() {
    Promise<String> first = Promise.promise();
    gate.pass(Turn.KEEP, 100 * MANY, first::future);
    gate.pass(Turn.KEEP, 1, () -> Future.succeededFuture("a"))
        .onComplete(
            _ -> {
              throw new IllegalStateException("broken");
            });
    Promise<String> later = passes(Turn.KEEP, 1, "b");
    first.complete("");
    later.complete("");
    passes(Turn.KEEP, 1, "c");
    assertThat(begun).containsExactly("b", "c");
  }

  /// A call from another event loop.
  private final class Call {
    private final Context context = ((VertxInternal) vertx).createEventLoopContext();
    private final Promise<Void> asked = Promise.promise();
    private final Promise<Boolean> staysThere = Promise.promise();
    private @Nullable Context began;

    Call(Future<String> work) {
      context.runOnContext(
          _ -> {
            gate.pass(Turn.KEEP, MANY, () -> begin(work)).onComplete(_ -> end());
            asked.complete();
          });
      asked.future().await();
    }

    private Future<String> begin(Future<String> work) {
      began = Vertx.currentContext();
      return work;
    }

    private void end() {
      staysThere.complete(context.equals(began) && context.equals(Vertx.currentContext()));
    }
  }

  @Test
  void whatOthersLetInStaysOnTheContextOfItsCaller() {
    Promise<String> first = Promise.promise();
    Call one = new Call(first.future());
    Call other = new Call(Future.succeededFuture(""));
    first.complete("");
    assertThat(one.staysThere.future().await()).isTrue();
    assertThat(other.staysThere.future().await()).isTrue();
  }
}
