package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
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

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          Cannot reserve 9 bytes of direct buffer memory,                -XX:MaxDirectMemorySize
          failed to allocate 9 byte(s) of direct memory,                 -XX:MaxDirectMemorySize
          Java heap space,                                               more: -Xmx
          Requested array size exceeds VM limit,                         more: -Xmx
          Metaspace,                                                     -XX:MaxMetaspaceSize
          Compressed class space,                                        -XX:CompressedClassSpaceSize
          unable to create native thread: possibly out of memory or process/resource limits reached, ulimit
          """)
  void theLineSaysWhatGivesItMoreOfThatKind(String message, String advice) {
    log.error("A subscriber failed", new OutOfMemoryError(message));

    assertThat(written.list.getFirst().getFormattedMessage()).contains(message, advice);
  }

  @Test
  void aLogThatIsBlockedKeepsNoProcessFromEnding() {
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    CompletableFuture<Void> blocked = new CompletableFuture<>();
    LoggerContext stuck = new LoggerContext();
    OutOfMemory filter = new OutOfMemory(exit::complete);
    filter.watch();
    stuck.addTurboFilter(filter);
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent line) {
            blocked.join();
          }
        };
    appender.start();
    stuck.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);

    Thread.ofPlatform().start(() -> stuck.getLogger("a").error("A subscriber failed", fault));

    assertThat(exit.orTimeout(90, TimeUnit.SECONDS).join()).isEqualTo(3);
    blocked.complete(null);
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
