package io.confab.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Bounds what libraries write, which tell of each connection of a stranger with a stack: ten
/// lines a minute of a logger, level and kind of failure, and a number of the others at its end.
/// For any thread.
public final class LibraryLines extends Filter<ILoggingEvent> {
  static final int LINES = 10;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LineBudget<String> budget = new LineBudget<>(_ -> LINES);
  private final AtomicBoolean begun = new AtomicBoolean();

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (isOurs(logger)) {
      return FilterReply.NEUTRAL;
    }
    if (begun.compareAndSet(false, true)) {
      var _ =
          getContext()
              .getScheduledExecutorService()
              .schedule(this::endMinute, MINUTE.toMillis(), TimeUnit.MILLISECONDS);
    }
    return budget.take(logger, kind(event)) ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private static boolean isOurs(String logger) {
    return logger.startsWith("io.confab.") || logger.equals("security") || logger.equals("access");
  }

  private static String kind(ILoggingEvent event) {
    return event.getThrowableProxy() == null
        ? event.getLevel() + ", no failure"
        : event.getLevel() + ", " + event.getThrowableProxy().getClassName();
  }

  void endMinute() {
    begun.set(false);
    var log = ((LoggerContext) getContext()).getLogger(LibraryLines.class);
    budget.endMinute(
        (logger, kind, times) ->
            log.warn("{} more lines of {} in a minute ({})", times, logger, kind));
  }
}
