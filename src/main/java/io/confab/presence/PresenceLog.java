package io.confab.presence;

import io.confab.protocol.NodeId;
import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the transitions that this node hears of to the log, those of a second with one statement.
/// Of those that wait while PostgreSQL is away the oldest are left out. For any thread.
final class PresenceLog {
  private static final Logger LOG = LoggerFactory.getLogger(PresenceLog.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int BATCH = 2_000;

  /// Some 100 bytes each.
  static final int MOST = 50_000;

  private final Function<List<Entry>, Future<Void>> write;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private boolean writing;

  /// @param by the node that said so
  record Entry(NodeId by, Transition of) {}

  PresenceLog(Function<List<Entry>, Future<Void>> write) {
    this.write = write;
  }

  /// Begins to write, until the node ends.
  void start(Vertx vertx) {
    Moments.periodic(vertx, PERIOD, this::write);
  }

  synchronized void add(NodeId by, List<Transition> transitions) {
    transitions.forEach(each -> waiting.add(new Entry(by, each)));
    bound();
  }

  private void bound() {
    while (waiting.size() > MOST) {
      waiting.removeFirst();
    }
  }

  /// Writes what waits, unless a write is under way. Done when it is over.
  Future<Void> write() {
    List<Entry> batch = next();
    if (batch.isEmpty()) {
      return Future.succeededFuture();
    }
    return write
        .apply(batch)
        .onComplete(written -> ended(batch, written.succeeded()))
        .onFailure(failure -> LOG.debug("Presence was not logged", failure))
        .compose(_ -> write());
  }

  private synchronized List<Entry> next() {
    if (writing || waiting.isEmpty()) {
      return List.of();
    }
    writing = true;
    List<Entry> batch = new ArrayList<>();
    while (!waiting.isEmpty() && batch.size() < BATCH) {
      batch.add(waiting.removeFirst());
    }
    return batch;
  }

  private synchronized void ended(List<Entry> batch, boolean written) {
    writing = false;
    if (!written) {
      batch.reversed().forEach(waiting::addFirst);
      bound();
    }
  }
}
