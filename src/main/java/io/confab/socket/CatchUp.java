package io.confab.socket;

import io.confab.time.Retries;
import io.vertx.core.Future;
import java.util.ArrayDeque;

/// Reads for the streams of one session that are behind: one after the other, a page at a time,
/// and only as the socket drains.
final class CatchUp {
  private final Outbound out;
  private final Retries retries;
  private final ArrayDeque<Behind> behind = new ArrayDeque<>(1);
  private boolean reading;
  private boolean closed;

  CatchUp(Outbound out, Retries retries) {
    this.out = out;
    this.retries = retries;
  }

  void add(Behind stream) {
    if (!closed) {
      behind.add(stream);
      readNext();
    }
  }

  private void readNext() {
    if (reading || closed || behind.isEmpty()) {
      return;
    }
    reading = true;
    out.drained().compose(_ -> retries.untilDone(this::read)).onSuccess(_ -> readAgain());
  }

  /// After a failure it is another stream's turn, which may be readable.
  private Future<?> read() {
    Behind stream = behind.poll();
    return stream == null
        ? Future.succeededFuture()
        : stream
            .catchUp()
            .onSuccess(
                caughtUp -> {
                  if (!caughtUp) {
                    add(stream);
                  }
                })
            .onFailure(_ -> add(stream));
  }

  private void readAgain() {
    reading = false;
    readNext();
  }

  void close() {
    closed = true;
    behind.clear();
  }
}
