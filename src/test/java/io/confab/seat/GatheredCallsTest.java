package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheredCallsTest {
  private record Made(String key, List<Integer> items, Promise<List<String>> answer) {
    void done() {
      answer.complete(items.stream().map(item -> key + item).toList());
    }
  }

  private static final GatheredCalls.Bounds BOUNDS =
      new GatheredCalls.Bounds(3, 12, Duration.ofSeconds(3));

  private long now;
  private final List<Made> made = new ArrayList<>();
  private final GatheredCalls<String, Integer, String> calls =
      new GatheredCalls<>(
          BOUNDS,
          () -> now,
          () -> Refusal.unavailable("too many"),
          (key, items) -> {
            Made one = new Made(key, items, Promise.promise());
            made.add(one);
            return one.answer().future();
          });

  private Future<List<String>> ask(String key, Integer... items) {
    return calls.ask(key, List.of(items));
  }

  @Test
  void whatComesMeanwhileGoesTogether() {
    ask("a", 1);
    Future<List<String>> second = ask("a", 2, 3);
    Future<List<String>> third = ask("a", 4);
    ask("b", 9);
    assertThat(made).extracting(Made::items).containsExactly(List.of(1), List.of(9));
    made.getFirst().done();
    assertThat(made.getLast().items()).containsExactly(2, 3, 4);
    made.getLast().done();
    assertThat(second.result()).containsExactly("a2", "a3");
    assertThat(third.result()).containsExactly("a4");
    ask("a", 5);
    assertThat(made.getLast().items()).as("none is under way any more").containsExactly(5);
  }

  @Test
  void soManyGoTogetherAtMostUnlessOneAsksForMore() {
    ask("a", 1);
    ask("a", 2, 3);
    ask("a", 4, 5);
    made.getFirst().done();
    assertThat(made.getLast().items()).containsExactly(2, 3);
    ask("b", 1, 2, 3, 4);
    assertThat(made.getLast().items()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aFailureIsOfThoseWhoWentTogether() {
    Future<List<String>> first = ask("a", 1);
    Future<List<String>> second = ask("a", 2);
    made.getFirst().answer().fail("away");
    assertThat(first.failed()).isTrue();
    made.getLast().done();
    assertThat(second.result()).containsExactly("a2");
  }

  @Test
  void moreThanMayWaitAreRefused() {
    ask("a", 1);
    for (int i = 0; i < 6; i++) {
      assertThat(ask("a", i).failed()).isFalse();
    }
    assertThat(ask("a", 7).cause()).isInstanceOf(Refusal.class);
    ask("b", 1);
    assertThat(ask("b", 2, 3, 4).failed()).as("half is for others").isFalse();
    ask("c", 1);
    assertThat(ask("c", 2, 3, 4).failed()).isFalse();
    assertThat(ask("c", 5).failed()).isTrue();
    made.getFirst().done();
    assertThat(ask("a", 8).failed()).isFalse();
  }

  @Test
  void whoWaitedTooLongIsRefusedAndNotCarriedOut() {
    ask("a", 1);
    Future<List<String>> second = ask("a", 2);
    now += BOUNDS.patience().toNanos();
    Future<List<String>> third = ask("a", 3);
    now++;
    made.getFirst().done();
    assertThat(second.cause()).isInstanceOf(Refusal.class);
    assertThat(made.getLast().items()).containsExactly(3);
    made.getLast().done();
    assertThat(third.succeeded()).isTrue();
    ask("a", 4);
    ask("a", 5);
    now += BOUNDS.patience().toNanos() + 1;
    made.getLast().done();
    ask("a", 6);
    assertThat(made.getLast().items()).as("none is under way any more").containsExactly(6);
  }

  @Test
  void aCallThatThrowsFails() {
    GatheredCalls<String, Integer, String> broken =
        new GatheredCalls<>(
            BOUNDS,
            () -> now,
            () -> Refusal.unavailable("too many"),
            (_, _) -> {
              throw new IllegalStateException("broken");
            });
    assertThat(broken.ask("a", List.of(1)).failed()).isTrue();
    assertThat(broken.ask("a", List.of(1)).failed()).as("and is over").isTrue();
  }
}
