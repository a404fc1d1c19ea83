package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedStore;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceThreadTest {
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private SealedDevice sealed;
  private DeviceThread device;

  @BeforeEach
  void open(@TempDir Path folder) {
    sealed = SealedDevice.open(SealedStore.open(folder), new AccountId(17), new DeviceId("a"));
    device = new DeviceThread(sealed, work::add, answers::add);
  }

  @AfterEach
  void close() {
    sealed.close();
  }

  private static void run(Deque<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private static String code(Future<?> refused) {
    return ((ApiException) refused.cause()).code();
  }

  @Test
  void answersComeToTheLoopInTheOrderOfTheQuestions() {
    List<Integer> got = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      device.ask(_ -> number).onSuccess(got::add);
    }
    run(work);
    assertThat(got).isEmpty();
    run(answers);
    assertThat(got).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void afterTheDiskFailedNothingIsAskedAnyMore() {
    IOException full = new IOException("no space left");
    Future<Integer> failed =
        device.ask(
            _ -> {
              throw new UncheckedIOException(full);
            });
    List<String> asked = new ArrayList<>();
    Future<Boolean> after = device.ask(_ -> asked.add("after"));
    run(work);
    run(answers);
    assertThat(code(failed)).isEqualTo(DeviceThread.STORE_FAILED);
    assertThat(code(after)).isEqualTo(DeviceThread.STORE_FAILED);
    assertThat(device.broken().cause()).isSameAs(full);
    assertThat(asked).isEmpty();
  }

  @Test
  void aFaultConcernsTheQuestionAlone() {
    Future<Integer> faulty =
        device.ask(
            _ -> {
              throw new IllegalStateException("a fault");
            });
    Future<Integer> after = device.ask(_ -> 7);
    run(work);
    run(answers);
    assertThat(faulty.cause()).isInstanceOf(IllegalStateException.class);
    assertThat(after.result()).isEqualTo(7);
    assertThat(device.broken().isComplete()).isFalse();
  }

  @Test
  void itClosesAfterWhatWasAskedAndAnswersNothingThen() {
    Future<Integer> before = device.ask(_ -> 7);
    Future<Void> closed = device.close();
    Future<Integer> after = device.ask(_ -> 8);
    run(work);
    run(answers);
    assertThat(before.result()).isEqualTo(7);
    assertThat(closed.succeeded()).isTrue();
    assertThat(code(after)).isEqualTo(ApiException.CLOSED);
  }

  @Test
  void anErrorEndsTheDeviceAndLeavesNobodyWaiting() {
    Future<Integer> failed =
        device.ask(
            _ -> {
              throw new UnsatisfiedLinkError("no native code");
            });
    Future<Integer> after = device.ask(_ -> 7);
    run(work);
    run(answers);
    assertThat(failed.failed()).isTrue();
    assertThat(code(after)).isEqualTo(DeviceThread.STORE_FAILED);
    assertThat(device.broken().cause()).isInstanceOf(UnsatisfiedLinkError.class);
  }

  @Test
  void anExceptionThatNoSignatureNamesConcernsTheQuestionAlone() {
    Future<Integer> faulty = device.ask(_ -> DeviceThreadTest.<RuntimeException>undeclared());
    Future<Integer> after = device.ask(_ -> 7);
    run(work);
    run(answers);
    assertThat(faulty.cause()).isInstanceOf(IOException.class);
    assertThat(after.result()).isEqualTo(7);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> int undeclared() throws E {
    throw (E) new IOException("as Kotlin throws it");
  }

  @Test
  void itIsClosedAgainByNothing() {
    DeviceThread ended =
        new DeviceThread(
            sealed,
            _ -> {
              throw new RejectedExecutionException();
            },
            answers::add);
    Future<Void> closed = ended.close();
    run(answers);
    assertThat(closed.succeeded()).isTrue();
  }
}
