package io.confab.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What PostgreSQL said of its disk when it could not store or read: that it is full, or fails.
/// Nobody but an operator can mend it, so it is logged, once a minute, and told for a while. For
/// any thread.
final class StorageFaults {
  private static final Logger LOG = LoggerFactory.getLogger(StorageFaults.class);
  private static final long TOLD_NS = Duration.ofSeconds(30).toNanos();
  private static final long LOGGED_NS = Duration.ofMinutes(1).toNanos();

  private final AtomicReference<Optional<Fault>> last = new AtomicReference<>(Optional.empty());
  private final AtomicReference<Optional<Fault>> logged = new AtomicReference<>(Optional.empty());
  private final AtomicLong count = new AtomicLong();

  private record Fault(String text, long at) {
    boolean isWithin(long nanos, long now) {
      return now - at < nanos;
    }
  }

  /// Work on a connection failed, for whatever reason.
  void look(Throwable failure, long now) {
    if (FailureKind.of(failure) != FailureKind.STORAGE) {
      return;
    }
    count.incrementAndGet();
    Optional<Fault> fault = Optional.of(new Fault(String.valueOf(failure.getMessage()), now));
    last.set(fault);
    Optional<Fault> before = logged.get();
    if (before.filter(each -> each.isWithin(LOGGED_NS, now)).isEmpty()
        && logged.compareAndSet(before, fault)) {
      LOG.error("PostgreSQL's storage is full or fails: {}", failure.getMessage());
    }
  }

  /// What was said last, if it was not long ago.
  Optional<String> recent(long now) {
    return last.get().filter(fault -> fault.isWithin(TOLD_NS, now)).map(Fault::text);
  }

  /// How often since the start.
  long count() {
    return count.get();
  }
}
