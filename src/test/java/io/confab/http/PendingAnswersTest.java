package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingAnswersTest {
  private final PendingAnswers answers = new PendingAnswers(1_000);
  private final List<Promise<Void>> written = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();

  private void write(int bytes) {
    Promise<Void> promise = Promise.promise();
    int which = written.size();
    written.add(promise);
    answers.write(bytes, () -> closed.add(which), promise::future);
  }

  @Test
  void clientsThatReadAreNeverCutOff() {
    for (int i = 0; i < 100; i++) {
      write(900);
      written.getLast().complete();
    }
    assertThat(closed).isEmpty();
    assertThat(answers.bytes()).isZero();
  }

  @Test
  void whatWaitsIsBoundedAndTheOldestGoFirst() {
    for (int i = 0; i < 100; i++) {
      write(300);
      assertThat(answers.bytes()).isLessThanOrEqualTo(1_000);
    }
    assertThat(closed).hasSize(97).startsWith(0, 1, 2).doesNotContain(97, 98, 99);
    written.forEach(promise -> promise.tryFail("the connection is closed"));
    assertThat(answers.bytes()).isZero();
  }

  @Test
  void oneThatIsLargerThanAllMayBeGoesAlone() {
    write(300);
    write(5_000);
    assertThat(closed).containsExactly(0);
    written.getLast().complete();
    assertThat(answers.bytes()).isZero();
  }
}
