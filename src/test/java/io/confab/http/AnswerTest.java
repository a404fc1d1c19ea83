package io.confab.http;

import static io.confab.testing.Futures.get;
import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private final AtomicBoolean allowed = new AtomicBoolean(true);

  private Future<?> check() {
    return allowed.get()
        ? Future.succeededFuture()
        : Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "signed out"));
  }

  @Test
  void ofALongAnswerNothingFollowsOnceTheCallerMayNoMore() {
    Answer answer =
        new Answer.Streamed(
                "text/plain", () -> Future.succeededFuture(Optional.of(Buffer.buffer("line"))))
            .whileAllowed(this::check);
    Answer.Chunks chunks = ((Answer.Streamed) answer).chunks();
    assertThat(get(chunks.next())).isPresent();
    allowed.set(false);
    assertThat(refusal(chunks.next())).isEqualTo(ErrorCode.UNAUTHORIZED);
  }
}
