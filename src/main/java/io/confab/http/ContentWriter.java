package io.confab.http;

import io.reactivex.rxjava3.subscribers.DefaultSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Writes content to a stream and ends it. It checks before each piece that writing is still
/// allowed, and requests the next piece when the last has left. At the first failure it gives up
/// and leaves the stream without its end.
final class ContentWriter extends DefaultSubscriber<Buffer> {
  private final Function<Buffer, Future<Void>> write;
  private final Runnable end;
  private final Supplier<Future<?>> allowed;
  private final Consumer<Throwable> failed;
  private Future<?> written = Future.succeededFuture();

  /// @param write writes a piece; done when it has left
  /// @param end ends what is written
  /// @param allowed fails when nothing more may be written
  /// @param failed receives the failure at which it gave up
  ContentWriter(
      Function<Buffer, Future<Void>> write,
      Runnable end,
      Supplier<Future<?>> allowed,
      Consumer<Throwable> failed) {
    this.write = write;
    this.end = end;
    this.allowed = allowed;
    this.failed = failed;
  }

  @Override
  protected void onStart() {
    request(1);
  }

  @Override
  public void onNext(Buffer piece) {
    written =
        allowed
            .get()
            .compose(_ -> write.apply(piece))
            .onSuccess(_ -> request(1))
            .onFailure(
                failure -> {
                  cancel();
                  failed.accept(failure);
                });
  }

  @Override
  public void onError(Throwable failure) {
    failed.accept(failure);
  }

  @Override
  public void onComplete() {
    written.onSuccess(_ -> end.run());
  }
}
