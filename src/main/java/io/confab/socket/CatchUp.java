package io.confab.socket;

import io.confab.feed.EventSource;
import io.confab.time.Timers;
import java.util.ArrayDeque;

/// Reads for the streams of one session that are behind: one after the other, a page at a time,
/// and only as the socket drains.
final class CatchUp {
  private final Outbound out;
  private final EventSource source;
  private final Timers timers;
  private final ArrayDeque<RoomStream> behind = new ArrayDeque<>();
  private boolean reading;
  private boolean closed;

  CatchUp(Outbound out, EventSource source, Timers timers) {
    this.out = out;
    this.source = source;
    this.timers = timers;
  }

  void add(RoomStream stream) {
    behind.add(stream);
    readNext();
  }

  private void readNext() {
    if (reading || closed || behind.isEmpty()) {
      return;
    }
    reading = true;
    RoomStream stream = behind.removeFirst();
    out.drained()
        .compose(_ -> stream.catchUp(source))
        .onSuccess(
            caughtUp -> {
              if (!caughtUp) {
                behind.addLast(stream);
              }
              readAgain();
            })
        .onFailure(
            _ -> {
              behind.addLast(stream); // others may be readable
              timers.retry(this::readAgain);
            });
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
