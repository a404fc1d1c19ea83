package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.reactivex.rxjava3.processors.PublishProcessor;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContentWriterTest {
  private boolean allowed = true;
  private final List<Throwable> failures = new ArrayList<>();
  private final SlowStream stream = new SlowStream();
  private final PublishProcessor<Buffer> content = PublishProcessor.create();
  private final Buffer piece = Buffer.buffer("line");

  private void begin() {
    content.subscribe(new ContentWriter(stream::write, stream::end, this::check, failures::add));
  }

  private Future<?> check() {
    return allowed
        ? Future.succeededFuture()
        : Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "signed out"));
  }

  @Test
  void ofALongAnswerNothingFollowsOnceTheCallerMayNoMore() {
    begin();
    content.onNext(piece);
    stream.written.getLast().complete();
    allowed = false;
    content.onNext(piece);

    assertThat(stream.written).hasSize(1);
    assertThat(failures)
        .singleElement()
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.UNAUTHORIZED));
    assertThat(content.hasSubscribers()).isFalse();
    assertThat(stream.ended).isFalse();
  }

  @Test
  void theNextPieceIsAskedForWhenTheOneBeforeHasLeft() {
    begin();
    assertThat(content.offer(piece)).isTrue();
    assertThat(content.offer(piece)).isFalse();
    stream.written.getLast().complete();
    assertThat(content.offer(piece)).isTrue();
    assertThat(content.offer(piece)).isFalse();
  }

  @Test
  void theStreamEndsWhenItsLastPieceHasLeft() {
    begin();
    content.onNext(piece);
    content.onComplete();
    assertThat(stream.ended).isFalse();
    stream.written.getLast().complete();
    assertThat(stream.ended).isTrue();
    assertThat(failures).isEmpty();
  }

  @Test
  void contentWithoutPiecesEnds() {
    begin();
    content.onComplete();
    assertThat(stream.ended).isTrue();
  }

  @Test
  void contentThatFailsDoesNotEndTheStream() {
    begin();
    content.onNext(piece);
    content.onError(Refusal.unavailable("the database is away"));
    stream.written.getLast().complete();
    assertThat(failures).hasSize(1);
    assertThat(stream.ended).isFalse();
  }

  @Test
  void nothingIsMadeForAStreamThatIsClosed() {
    begin();
    content.onNext(piece);
    stream.written.getLast().fail("closed");
    assertThat(failures).hasSize(1);
    assertThat(content.hasSubscribers()).isFalse();
    assertThat(stream.ended).isFalse();
  }

  /// Takes everything, and says when the test does that it has left.
  private static final class SlowStream implements WriteStream<Buffer> {
    private final List<Promise<Void>> written = new ArrayList<>();
    private boolean ended;

    @Override
    public Future<Void> write(Buffer data) {
      written.add(Promise.promise());
      return written.getLast().future();
    }

    @Override
    public Future<Void> end() {
      ended = true;
      return Future.succeededFuture();
    }

    @Override
    public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
      return this;
    }

    @Override
    public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
      return this;
    }

    @Override
    public boolean writeQueueFull() {
      return false;
    }

    @Override
    public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
      return this;
    }
  }
}
