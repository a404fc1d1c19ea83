package io.confab.socket;

import io.confab.feed.QueuedSend;
import io.confab.protocol.QueueSeq;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What was announced to a [QueueStream] too early, by its numbers. Belongs to one event loop.
final class HeldSends {
  /// Characters; what is beyond is read.
  static final int MOST = 64_000;

  record Held(QueuedSend.Place place, byte[] tail) {
    int size() {
      String body = place.body();
      return tail.length + (body == null ? 0 : body.length());
    }
  }

  private final TreeMap<QueueSeq, Held> sends = new TreeMap<>();
  private int size;

  void add(Held one) {
    if (size + one.size() <= MOST && sends.putIfAbsent(one.place().seq(), one) == null) {
      size += one.size();
    }
  }

  /// Takes out the first one; null where there is none up to this number.
  @Nullable Held next(QueueSeq upTo) {
    Map.Entry<QueueSeq, Held> first = sends.firstEntry();
    if (first == null || first.getKey().isAfter(upTo)) {
      return null;
    }
    sends.remove(first.getKey());
    size -= first.getValue().size();
    return first.getValue();
  }

  void clear() {
    sends.clear();
    size = 0;
  }
}
