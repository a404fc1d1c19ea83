package io.confab.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/// What a logger writes while this is open, as lines of text: level, message, keys, and the class
/// of a failure whose stack is written.
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(line(event));
        }
      };

  /// @param logger by name; the root's name is `ROOT`
  public LogLines(String logger) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
    appender.start();
    this.logger.addAppender(appender);
  }

  private static String line(ILoggingEvent event) {
    String keys =
        event.getKeyValuePairs() == null
            ? ""
            : event.getKeyValuePairs().stream()
                .map(pair -> " " + pair.key + "=" + pair.value)
                .collect(Collectors.joining());
    String failure =
        event.getThrowableProxy() == null ? "" : " " + event.getThrowableProxy().getClassName();
    return event.getLevel() + " " + event.getFormattedMessage() + keys + failure;
  }

  public List<String> lines() {
    return lines;
  }

  /// Those of a level or above.
  public List<String> atLeast(Level level) {
    return lines.stream()
        .filter(line -> Level.toLevel(line.split(" ", 2)[0]).isGreaterOrEqual(level))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    appender.stop();
  }
}
