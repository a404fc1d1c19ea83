package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.time.Backoff;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Opens the queue of the device when the program says so, and tells the server what it keeps and
/// cannot read.
final class QueueRules {
  private final Backoff backoff;
  private final Consumer<Action> out;

  QueueRules(Backoff backoff, Consumer<Action> out) {
    this.backoff = backoff;
    this.out = out;
  }

  void live() {}

  void lost() {}

  void open(@Nullable Epoch of, QueueSeq after, long now) {}

  void acknowledge(Epoch of, QueueSeq upTo, long now) {}

  void reject(Epoch of, QueueSeq seq, String reason, long now) {}

  void frame(JsonNode frame, long now) {}

  boolean answered(String re, long now) {
    return false;
  }

  boolean refused(String re, JsonNode error, long now) {
    return false;
  }

  OptionalLong deadline() {
    return OptionalLong.empty();
  }

  void tick(long now) {}
}
