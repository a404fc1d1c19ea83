package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.SealedDevice;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/// Does what is asked of a [SealedDevice], one thing after another in the order in which it was
/// asked, away from the event loop: the device waits for the disk. Answers come back to the loop.
///
/// What the disk did not take ends it, and so does an [Error]: nobody knows then what is kept, so
/// everything after it is refused as [#STORE_FAILED].
final class DeviceThread {
  /// The code of what is asked after the store, or the device itself, failed.
  static final String STORE_FAILED = "store_failed";

  private final SealedDevice device;
  private final Executor worker;
  private final Executor loop;
  private final Promise<Void> broken = Promise.promise();
  private String ended = "";

  /// @param worker runs one thing at a time, in order
  /// @param loop where answers are given
  DeviceThread(SealedDevice device, Executor worker, Executor loop) {
    this.device = device;
    this.worker = worker;
    this.loop = loop;
  }

  /// Fails once the store did, with its failure; comes to the loop.
  Future<Void> broken() {
    return broken.future();
  }

  <T> Future<T> ask(Function<SealedDevice, T> question) {
    Promise<T> answer = Promise.promise();
    try {
      worker.execute(() -> answer(question, answer));
    } catch (RejectedExecutionException _) {
      refuse(answer, ApiException.CLOSED);
    }
    return answer.future();
  }

  /// The same for what has no answer.
  Future<Void> tell(Consumer<SealedDevice> task) {
    return ask(asked -> {
          task.accept(asked);
          return asked;
        })
        .mapEmpty();
  }

  /// Closes the device after what was asked already; nothing when called again.
  Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    try {
      worker.execute(() -> close(closed));
    } catch (RejectedExecutionException _) {
      loop.execute(closed::complete);
    }
    return closed.future();
  }

  private void close(Promise<Void> closed) {
    ended = ended.isEmpty() ? ApiException.CLOSED : ended;
    try {
      device.close();
      loop.execute(closed::complete);
    } catch (RuntimeException e) {
      loop.execute(() -> closed.fail(e));
    }
  }

  private <T> void answer(Function<SealedDevice, T> question, Promise<T> answer) {
    if (!ended.isEmpty()) {
      refuse(answer, ended);
      return;
    }
    try {
      T result = question.apply(device);
      loop.execute(() -> answer.complete(result));
    } catch (UncheckedIOException e) {
      ended = STORE_FAILED;
      refuse(answer, ended);
      loop.execute(() -> broken.tryFail(cause(e)));
    } catch (Error e) {
      ended = STORE_FAILED;
      loop.execute(() -> answer.fail(e));
      loop.execute(() -> broken.tryFail(e));
    } catch (Exception e) {
      // Kotlin throws what no signature names.
      loop.execute(() -> answer.fail(e));
    }
  }

  private static Throwable cause(UncheckedIOException failure) {
    IOException cause = failure.getCause();
    return cause == null ? failure : cause;
  }

  private void refuse(Promise<?> answer, String code) {
    String why =
        code.equals(ApiException.CLOSED) ? "the client is closed" : "the keys cannot be kept";
    loop.execute(() -> answer.tryFail(ApiException.local(code, why)));
  }
}
