package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.event.KeyValuePair;

@Timeout(30)
class LogFormatTest {
  /// Ends the line and begins another one, in each way that a reader of the log may know.
  private static final String FORGED =
      "\n12:00:00.000 INFO  access: forged\r\u0085\u2028\u2029\u001b[2J\u202e";

  @Test
  void textIsOneReadableLineWithItsKeys() throws JoranException {
    assertThat(line("text", "3", "r1", null))
        .endsWith("WARN  LogFormatTest: Stored 3 rows rows=\"3\" request_id=\"r1\"\n")
        .doesNotContain("io.confab");
  }

  @Test
  void jsonIsOfTheElasticCommonSchema() throws JoranException, IOException {
    JsonNode json = json("3", "r1", new IllegalStateException("broken"));

    assertThat(json.path("@timestamp").asText()).endsWith("Z");
    assertThat(json.path("ecs.version").asText()).isNotEmpty();
    assertThat(json.path("service.name").asText()).isEqualTo("confab");
    assertThat(json.path("log.level").asText()).isEqualTo("WARN");
    assertThat(json.path("log.logger").asText()).isEqualTo(LogFormatTest.class.getName());
    assertThat(json.path("message").asText()).isEqualTo("Stored 3 rows");
    assertThat(json.path("request_id").asText()).isEqualTo("r1");
    assertThat(json.path("rows").isInt()).isTrue();
    assertThat(json.path("error.type").asText()).isEqualTo("java.lang.IllegalStateException");
    assertThat(json.path("error.stack_trace").asText()).contains("LogFormatTest");
  }

  @Test
  void noTextFromOutsideBeginsALine() throws JoranException, IOException {
    String text = line("text", FORGED, FORGED, new IllegalStateException(FORGED));
    String json = line("json", FORGED, FORGED, new IllegalStateException(FORGED));

    assertThat(text.lines().filter(line -> line.startsWith("12:00:00"))).isEmpty();
    assertThat(text.lines().filter(line -> line.contains("WARN"))).hasSize(1);
    assertThat(text).doesNotContain("\u001b", "\u202e", "\u0085");
    assertThat(text.lines().findFirst().orElseThrow())
        .contains("request_id=\"?12:00:00.000 INFO  access: forged?????[2J?\"");
    assertThat(json.lines()).hasSize(1);
    assertThat(new JsonMapper().readTree(json).path("request_id").asText()).isEqualTo(FORGED);
  }

  @Test
  void librariesTellOnlyWarnings() throws JoranException {
    LoggerContext context = context("text");

    assertThat(context.getLogger("com.hazelcast").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("org.flywaydb").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.netty").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.confab.Main").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("security").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("access").getEffectiveLevel()).isEqualTo(Level.INFO);
  }

  @Test
  void inBothFormsLibrariesHaveSoManyLinesAMinute() throws JoranException {
    for (String form : List.of("text", "json")) {
      var stderr = Objects.requireNonNull(context(form).getLogger("ROOT").getAppender("stderr"));
      assertThat(stderr.getCopyOfAttachedFiltersList())
          .singleElement()
          .isInstanceOf(LibraryLines.class);
    }
  }

  @Test
  void noRequestWaitsForTheLog() throws JoranException {
    var requests = (AsyncAppender) context("text").getLogger("access").getAppender("requests");

    assertThat(Objects.requireNonNull(requests).isNeverBlock()).isTrue();
    assertThat(requests.getQueueSize()).isEqualTo(1_024);
  }

  private static JsonNode json(String argument, String key, Throwable failure)
      throws JoranException, IOException {
    return new JsonMapper().readTree(line("json", argument, key, failure));
  }

  private static String line(String form, String argument, String key, @Nullable Throwable failure)
      throws JoranException {
    LoggerContext context = context(form);
    var logger = context.getLogger(LogFormatTest.class);
    var event =
        new LoggingEvent(
            "", logger, Level.WARN, "Stored {} rows", failure, new Object[] {argument});
    event.setKeyValuePairs(
        List.of(new KeyValuePair("rows", 3), new KeyValuePair("request_id", key)));
    var appender =
        (ConsoleAppender<ILoggingEvent>)
            Objects.requireNonNull(context.getLogger("ROOT").getAppender("stderr"));
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private static LoggerContext context(String form) throws JoranException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("CONFAB_LOG", form);
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        Objects.requireNonNull(LogFormatTest.class.getResource("/logback.xml")));
    return context;
  }
}
