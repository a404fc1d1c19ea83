package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutOfMemoryTest {
  private final OutOfMemoryError fault =
      new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory");

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final List<Integer> exits = new ArrayList<>();
  private Logger log;

  @BeforeEach
  void start() {
    written.setContext(context);
    written.start();
    context.addTurboFilter(new OutOfMemory(exits::add));
    log = context.getLogger("a.library");
    log.setLevel(Level.WARN);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void whoeverTellsOfItEndsTheProcessWithOneLine() {
    log.error("A subscriber failed", new IllegalStateException(fault));

    assertThat(exits).containsExactly(3);
    assertThat(written.list.getFirst().getFormattedMessage())
        .contains("Out of memory", fault.getMessage(), "-XX:MaxDirectMemorySize");
  }

  @Test
  void alsoWhereItStandsBehindOtherArguments() {
    log.error("A subscriber of room {} failed", "a", fault);
    log.error("Thread {} of {} ended", "a", "b", new IllegalStateException(fault));

    assertThat(exits).containsExactly(3, 3);
    assertThat(written.list)
        .filteredOn(line -> line.getFormattedMessage().contains("Out of memory"))
        .hasSize(1);
  }

  @Test
  void alsoWhereItsLevelIsNotWritten() {
    log.debug("A connection broke", fault);

    assertThat(exits).containsExactly(3);
  }

  @Test
  void whatElseFailsEndsNothing() {
    Exception circle = new IllegalStateException();
    circle.initCause(new IllegalStateException(circle));

    log.error("A", circle);
    log.error("B", new StackOverflowError());
    log.error("C {}", "d");

    assertThat(exits).isEmpty();
    assertThat(written.list).hasSize(3);
  }
}
