package io.confab.postgres;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What PostgreSQL said of its disk when it could not store or read: that it is full, or fails.
/// Nobody but an operator can mend it, so it is logged, once a minute, and told for a while. For
/// any thread.
final class StorageFaults {
  private static final Logger LOG = LoggerFactory.getLogger(StorageFaults.class);
  private static final long TOLD_NS = Duration.ofSeconds(30).toNanos();
  private static final long LOGGED_NS = Duration.ofMinutes(1).toNanos();

  private @Nullable Fault last;
  private @Nullable Fault logged;
  private long count;

  private record Fault(String text, long at) {
    boolean isWithin(long nanos, long now) {
      return now - at < nanos;
    }
  }

  /// Work on a connection failed, for whatever reason.
  synchronized void look(Throwable failure, long now) {
    if (FailureKind.of(failure) != FailureKind.STORAGE) {
      return;
    }
    count++;
    Fault fault = new Fault(String.valueOf(failure.getMessage()), now);
    last = fault;
    if (logged == null || !logged.isWithin(LOGGED_NS, now)) {
      logged = fault;
      LOG.error("PostgreSQL's storage is full or fails: {}", fault.text());
    }
  }

  /// What was said last, if it was not long ago.
  synchronized Optional<String> recent(long now) {
    return Optional.ofNullable(last).filter(fault -> fault.isWithin(TOLD_NS, now)).map(Fault::text);
  }

  /// How often since the start.
  synchronized long count() {
    return count;
  }
}
