package io.confab.http;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/// Bounds the bytes of all answers that wait for their clients on an event loop, to which this
/// belongs. Beyond it the connection goes whose answer has waited for longest: a client that reads
/// has its answer in a moment.
final class PendingAnswers {
  private final long most;

  /// The oldest first.
  private final Set<Pending> pending = new LinkedHashSet<>();

  private long bytes;

  private static final class Pending {
    private final long bytes;
    private final Runnable close;

    private Pending(long bytes, Runnable close) {
      this.bytes = bytes;
      this.close = close;
    }
  }

  PendingAnswers(long most) {
    this.most = most;
  }

  /// Writes so many bytes, which wait until the future that is answered is done.
  ///
  /// @param close closes the connection; what is written then is done at once or soon
  Future<Void> write(int length, Runnable close, Supplier<Future<Void>> writing) {
    Pending written = new Pending(length, close);
    pending.add(written);
    bytes += length;
    while (bytes > most && pending.size() > 1) {
      Iterator<Pending> oldest = pending.iterator();
      Pending shed = oldest.next();
      oldest.remove();
      bytes -= shed.bytes;
      shed.close.run();
    }
    return Future.succeededFuture()
        .compose(_ -> writing.get()) // it may throw
        .onComplete(
            _ -> {
              if (pending.remove(written)) {
                bytes -= length;
              }
            });
  }

  long bytes() {
    return bytes;
  }
}
