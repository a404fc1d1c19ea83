package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.event.KeyValuePair;

@Timeout(30)
class LogFormatTest {
  @Test
  void textIsOneReadableLineWithItsKeys() throws JoranException {
    assertThat(line("text"))
        .endsWith("WARN  LogFormatTest: Stored 3 rows request_id=\"r1\"\n")
        .doesNotContain("io.confab");
  }

  @Test
  void jsonHoldsMessageLevelAndKeysAndNoArguments() throws JoranException, IOException {
    JsonNode json = new JsonMapper().readTree(line("json"));

    assertThat(json.path("level").asText()).isEqualTo("WARN");
    assertThat(json.path("formattedMessage").asText()).isEqualTo("Stored 3 rows");
    assertThat(json.at("/kvpList/0/request_id").asText()).isEqualTo("r1");
    assertThat(json.has("arguments")).isFalse();
  }

  @Test
  void librariesTellOnlyWarnings() throws JoranException {
    LoggerContext context = context("text");

    assertThat(context.getLogger("com.hazelcast").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("org.flywaydb").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.netty").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.confab.Main").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("security").getEffectiveLevel()).isEqualTo(Level.INFO);
  }

  private static String line(String form) throws JoranException {
    LoggerContext context = context(form);
    var logger = context.getLogger(LogFormatTest.class);
    var event = new LoggingEvent("", logger, Level.WARN, "Stored {} rows", null, new Object[] {3});
    event.setKeyValuePairs(List.of(new KeyValuePair("request_id", "r1")));
    var appender =
        (ConsoleAppender<ILoggingEvent>)
            Objects.requireNonNull(context.getLogger("ROOT").getAppender("stderr"));
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private static LoggerContext context(String form) throws JoranException {
    LoggerContext context = new LoggerContext();
    context.putProperty("CONFAB_LOG", form);
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        Objects.requireNonNull(LogFormatTest.class.getResource("/logback.xml")));
    return context;
  }
}
