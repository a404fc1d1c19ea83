package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LibraryLinesTest {
  /// What libraries say of each connection that a stranger opens to the bus.
  private static final String MEMBERS = "com.hazelcast.internal.server.tcp.TcpServerConnection";

  private final LoggerContext context = new LoggerContext();
  private final LibraryLines filter = new LibraryLines();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();

  @BeforeEach
  void start() {
    filter.setContext(context);
    filter.start();
    written.setContext(context);
    written.addFilter(filter);
    written.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private void flood(String logger, Throwable failure) {
    for (int i = 0; i < 1_000; i++) {
      context.getLogger(logger).warn("Connection {} closed", i, failure);
    }
  }

  private List<String> lines() {
    return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void aFloodOfOneKindIsTenLinesAndANumber() {
    flood(MEMBERS, new IllegalStateException());
    assertThat(written.list).hasSize(LibraryLines.LINES);

    filter.endMinute();
    assertThat(lines())
        .hasSize(LibraryLines.LINES + 1)
        .endsWith(
            "990 more lines of %s in a minute (WARN, %s)"
                .formatted(MEMBERS, IllegalStateException.class.getName()));
    assertThat(written.list.getLast().getLevel()).isEqualTo(Level.WARN);
  }

  @Test
  void aFloodHidesNeitherAnotherFailureNorAnotherLoggerNorTheNextMinute() {
    flood(MEMBERS, new IllegalStateException());
    context.getLogger(MEMBERS).warn("peer lost", new IOException());
    context.getLogger("io.vertx.core.impl.ContextImpl").error("bug");
    context.getLogger(MEMBERS).error("worse", new IllegalStateException());
    assertThat(lines()).endsWith("peer lost", "bug", "worse");

    filter.endMinute();
    context.getLogger(MEMBERS).warn("again", new IllegalStateException());
    assertThat(lines()).endsWith("again");
  }

  @Test
  void whatConfabSaysIsLeftToConfab() {
    for (String logger : List.of("io.confab.Main", "security", "access")) {
      flood(logger, new IllegalStateException());
    }
    assertThat(written.list).hasSize(3_000);
    filter.endMinute();
    assertThat(written.list).hasSize(3_000);
  }
}
