package io.confab.postgres;

import io.confab.protocol.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The greatest epoch of the database that this node has seen; it never falls. Every epoch that
/// reaches the node, by whatever way, is reported here. For any thread.
public final class DatabaseEpoch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseEpoch.class);

  /// Before the database was asked.
  private static final Epoch NONE = new Epoch(0);

  private final List<Listener> listeners = new ArrayList<>();
  private volatile Epoch current;

  private record Listener(Executor context, Consumer<Epoch> action) {
    void tell(Epoch epoch) {
      context.execute(() -> action.accept(epoch));
    }
  }

  /// Before any was seen.
  public DatabaseEpoch() {
    this(NONE);
  }

  public DatabaseEpoch(Epoch seen) {
    current = seen;
  }

  /// The epoch, 0 as long as none was seen.
  public Epoch current() {
    return current;
  }

  /// Reports an epoch; one that is not greater than the current one changes nothing.
  public void saw(Epoch seen) {
    if (seen.isAfter(current)) {
      raise(seen);
    }
  }

  private synchronized void raise(Epoch seen) {
    if (seen.isAfter(current)) {
      if (!current.equals(NONE)) {
        LOG.warn("The database has another epoch: {} after {}", seen, current);
      }
      current = seen;
      listeners.forEach(listener -> listener.tell(seen));
    }
  }

  /// From now on every raise is passed on once and in order.
  ///
  /// @param context where `action` runs; must not run it at once
  public synchronized void onChange(Executor context, Consumer<Epoch> action) {
    listeners.add(new Listener(context, action));
  }
}
