package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Refusal;
import io.confab.testing.Allocated;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BatchedReadTest {
  private final List<List<Integer>> reads = new ArrayList<>();
  private final List<Promise<String>> calls = new ArrayList<>();
  private final BatchedRead<Integer, String> batched = new BatchedRead<>(4, this::read);

  /// docs/architecture.md multiplies it.
  @Test
  void whoWaitsTakesFewHundredBytes() {
    int most = 20_000;
    BatchedRead<Integer, String> full = new BatchedRead<>(most, this::read);
    full.read(List.of(-1));
    List<Future<Integer>> answers = new ArrayList<>(most);

    long bytes =
        Allocated.by(
            () -> {
              for (int i = 0; i < most; i++) {
                answers.add(full.read(List.of(i)).map(String::length));
              }
            });

    assertThat(full.read(List.of(most)).cause()).isInstanceOf(Refusal.class);
    assertThat(answers).hasSize(most);
    assertThat(bytes / most).isBetween(50L, 400L);
  }

  @Test
  void aLoneQuestionIsReadAtOnce() {
    Future<String> answer = batched.read(List.of(1));
    assertThat(reads).containsExactly(List.of(1));
    calls.getFirst().complete("one");
    assertThat(answer.result()).isEqualTo("one");
  }

  @Test
  void manyGoInPortionsOneAfterTheOtherAndAQuestionIsNeverSplit() {
    BatchedRead<Integer, String> portions = new BatchedRead<>(10, 3, this::read);
    portions.read(List.of(0));
    Future<String> second = portions.read(List.of(1, 2));
    Future<String> third = portions.read(List.of(3, 4));
    Future<String> large = portions.read(List.of(5, 6, 7, 8));
    calls.get(0).complete("old");
    assertThat(reads.getLast()).containsExactly(1, 2);
    calls.get(1).complete("second");
    assertThat(second.result()).isEqualTo("second");
    assertThat(third.isComplete()).isFalse();
    assertThat(reads.getLast()).containsExactly(3, 4);
    calls.get(2).complete("third");
    assertThat(third.result()).isEqualTo("third");
    assertThat(reads.getLast()).containsExactly(5, 6, 7, 8);
    assertThat(portions.read(List.of(9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)).failed())
        .isFalse();
    assertThat(portions.read(List.of(20)).failed()).isTrue();
    calls.get(3).complete("large");
    assertThat(large.result()).isEqualTo("large");
  }

  @Test
  void aPaceForLoneQuestionsHoldsAllButTheFirstUnlessAPortionIsFull() {
    List<Runnable> later = new ArrayList<>();
    AtomicLong now = new AtomicLong(5);
    BatchedRead<Integer, String> paced =
        new BatchedRead<>(
            100,
            2,
            this::read,
            new BatchedRead.Pace(
                Duration.ofMillis(50), 1, now::get, (_, action) -> later.add(action)));
    paced.read(List.of(1));
    assertThat(reads).hasSize(1);
    calls.get(0).complete("first");
    paced.read(List.of(2));
    paced.read(List.of(3));
    paced.read(List.of(4));
    assertThat(reads).as("they are gathered").hasSize(1);
    now.addAndGet(Duration.ofMillis(50).toNanos());
    later.getFirst().run();
    assertThat(reads.getLast()).containsExactly(2, 3);
    calls.get(1).complete("full");
    assertThat(reads.getLast()).as("what was left follows at once").containsExactly(4);
  }

  @Test
  void questionsThatArriveMeanwhileGoTogetherInTheNextRead() {
    batched.read(List.of(1));
    Future<String> second = batched.read(List.of(1, 2));
    Future<String> third = batched.read(List.of(2, 3));
    assertThat(reads).hasSize(1);
    calls.get(0).complete("old");
    assertThat(second.isComplete()).isFalse();
    assertThat(reads).containsExactly(List.of(1), List.of(1, 2, 3));
    calls.get(1).complete("new");
    assertThat(second.result()).isEqualTo("new");
    assertThat(third.result()).isEqualTo("new");
  }

  @Test
  void aReadThatFailsFailsThoseWhoWaitForItAlone() {
    Future<String> first = batched.read(List.of(1));
    Future<String> second = batched.read(List.of(2));
    calls.get(0).fail("gone");
    calls.get(1).complete("two");
    assertThat(first.failed()).isTrue();
    assertThat(second.result()).isEqualTo("two");
  }

  @Test
  void tooManyKeysAreRefusedUnlessTheyAreAlone() {
    batched.read(List.of(1));
    batched.read(List.of(1, 2, 3));
    assertThat(batched.read(List.of(4, 5)).cause()).isInstanceOf(Refusal.class);
    calls.get(0).complete("old");
    calls.get(1).complete("new");
    batched.read(List.of(1, 2, 3, 4, 5, 6));
    assertThat(reads.getLast()).hasSize(6);
  }

  @Test
  void whileManyComeReadsAreSpaced() {
    List<Runnable> later = new ArrayList<>();
    List<Duration> waits = new ArrayList<>();
    AtomicLong now = new AtomicLong(5);
    BatchedRead<Integer, String> paced =
        new BatchedRead<>(
            100,
            this::read,
            new BatchedRead.Pace(
                Duration.ofMillis(50),
                2,
                now::get,
                (wait, action) -> {
                  waits.add(wait);
                  later.add(action);
                }));
    paced.read(List.of(1));
    calls.get(0).complete("lone");
    paced.read(List.of(2));
    assertThat(reads).as("one after another is not held").hasSize(2);
    paced.read(List.of(3));
    paced.read(List.of(4));
    calls.get(1).complete("next");
    assertThat(reads).as("nobody shared the one before").hasSize(3);
    now.addAndGet(1_000_000);
    calls.get(2).complete("shared");
    Future<String> held = paced.read(List.of(5));
    paced.read(List.of(6));
    assertThat(reads).hasSize(3);
    assertThat(waits).containsExactly(Duration.ofMillis(49));
    now.addAndGet(49_000_000);
    later.getFirst().run();
    assertThat(reads.getLast()).containsExactly(5, 6);
    calls.get(3).complete("six");
    assertThat(held.result()).isEqualTo("six");
    assertThat(later).hasSize(1);
  }

  private Future<String> read(List<Integer> keys) {
    reads.add(keys);
    Promise<String> call = Promise.promise();
    calls.add(call);
    return call.future();
  }
}
