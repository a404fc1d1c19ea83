package io.confab.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RetryLoopTest {
  private final List<Promise<Void>> questions = new ArrayList<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final RetryLoop retried =
      new RetryLoop(
          (delay, action) -> {
            delays.add(delay);
            timers.add(action);
          },
          new Backoff(Duration.ofMillis(250), Duration.ofSeconds(2), new SplittableRandom(1)),
          Duration.ZERO,
          this::question);

  private Future<Void> question() {
    Promise<Void> question = Promise.promise();
    questions.add(question);
    return question.future();
  }

  private void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void whoAsksForMoreWithEachAnswerWaitsForTheRest() {
    List<Duration> rests = new ArrayList<>();
    RetryLoop resting =
        new RetryLoop(
            (after, action) -> {
              rests.add(after);
              timers.add(action);
            },
            new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1)),
            Duration.ofMillis(400),
            this::question);
    resting.ask();
    resting.ask();
    questions.getFirst().complete();
    assertThat(questions).hasSize(1);
    resting.ask();
    fireTimers();
    assertThat(questions).hasSize(2);
    questions.get(1).complete();
    fireTimers();
    assertThat(questions).hasSize(2);
    assertThat(rests).containsOnly(Duration.ofMillis(400)).hasSize(2);
    resting.ask();
    assertThat(questions).hasSize(3);
  }

  @Test
  void itIsAskedAgainUntilItIsAnswered() {
    retried.ask();
    questions.getFirst().fail("away");
    assertThat(questions).hasSize(1);
    fireTimers();
    questions.get(1).complete();
    assertThat(questions).hasSize(2);
    assertThat(timers).isEmpty();
    retried.ask();
    assertThat(questions).hasSize(3);
  }

  @Test
  void howeverManyWantItMeanwhileItIsAskedOnceMore() {
    retried.ask();
    for (int i = 0; i < 20; i++) {
      retried.ask();
    }
    assertThat(questions).hasSize(1);
    questions.getFirst().complete();
    assertThat(questions).hasSize(2);
    questions.get(1).complete();
    assertThat(questions).hasSize(2);
  }

  @Test
  void whoWantsItBetweenTriesStartsNoTriesOfItsOwn() {
    retried.ask();
    questions.getFirst().fail("away");
    retried.ask();
    retried.ask();
    assertThat(timers).hasSize(1);
    fireTimers();
    assertThat(questions).hasSize(2);
    questions.get(1).fail("away");
    assertThat(timers).hasSize(1);
  }

  @Test
  void whoAsksLearnsWhenItWasAskedSinceThenHoweverThatEnded() {
    Future<Void> first = retried.ask();
    Future<Void> second = retried.ask();
    Future<Void> third = retried.ask();
    assertThat(first.isComplete()).isFalse();
    questions.getFirst().complete();
    assertThat(first.succeeded()).isTrue();
    assertThat(second.isComplete()).isFalse();
    questions.get(1).fail("away");
    assertThat(second.succeeded()).isTrue();
    assertThat(third.succeeded()).isTrue();
    Future<Void> between = retried.ask();
    assertThat(between.isComplete()).isFalse();
    fireTimers();
    questions.get(2).complete();
    assertThat(between.succeeded()).isTrue();
  }

  @Test
  void triesThatFailAreFurtherAndFurtherApartUntilOneIsAnswered() {
    retried.ask();
    for (int i = 0; i < 6; i++) {
      questions.getLast().fail("away");
      fireTimers();
    }
    assertThat(delays.getFirst()).isLessThanOrEqualTo(Duration.ofMillis(250));
    assertThat(delays.subList(3, 6))
        .allSatisfy(
            delay -> assertThat(delay).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2)));
    questions.getLast().complete();
    retried.ask();
    questions.getLast().fail("away");
    assertThat(delays.getLast()).isLessThanOrEqualTo(Duration.ofMillis(250));
  }
}
