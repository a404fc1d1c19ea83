package io.confab.logging;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Writes each request as a line of the logger `access`. What an account is granted has a line
/// each, because rate limits bound it; of all else there are so many lines a minute as [Kind] says.
/// For any thread.
public final class AccessLog {
  /// Stands in place of a route where a request met none.
  public static final String NO_ROUTE = "none";

  private static final Logger LOG = LoggerFactory.getLogger("access");
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  private final LineBudget<Kind> budget = new LineBudget<>(Kind::lines);

  /// Requests that somebody may send without end.
  private enum Kind {
    STRANGER_REFUSED(1),
    STRANGER(60),
    ACCOUNT_REFUSED(60);

    private final int lines;

    Kind(int lines) {
      this.lines = lines;
    }

    private int lines() {
      return lines;
    }

    private static Optional<Kind> of(Exchange exchange) {
      if (exchange.account().isEmpty()) {
        return Optional.of(exchange.isRefused() ? STRANGER_REFUSED : STRANGER);
      }
      return exchange.isRefused() ? Optional.of(ACCOUNT_REFUSED) : Optional.empty();
    }
  }

  public void ended(Exchange exchange) {
    String who = exchange.account().orElse(exchange.network());
    if (Kind.of(exchange).map(kind -> budget.take(kind, who)).orElse(true)) {
      write(exchange);
    }
  }

  private static void write(Exchange exchange) {
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue(
                "method", METHODS.contains(exchange.method()) ? exchange.method() : "OTHER")
            .addKeyValue("route", exchange.route())
            .addKeyValue("status", exchange.status())
            .addKeyValue("bytes", exchange.bytes())
            .addKeyValue("ms", TimeUnit.NANOSECONDS.toMillis(exchange.nanos()))
            .addKeyValue("address", exchange.address());
    LoggingEventBuilder called = with(line, "account", exchange.account());
    LoggingEventBuilder answered = with(called, "refused", exchange.refused());
    with(answered, "request_id", exchange.requestId()).log("request");
  }

  private static LoggingEventBuilder with(
      LoggingEventBuilder line, String key, Optional<String> value) {
    return value.map(known -> line.addKeyValue(key, known)).orElse(line);
  }

  /// Writes the lines that still wait, for ten seconds at most, and none from then on: as the last
  /// thing of a JVM, which would leave them out.
  public static void end() {
    ((ch.qos.logback.classic.Logger) LOG).detachAndStopAllAppenders();
  }

  /// Ends a minute: tells how many requests had no line.
  public void endMinute() {
    budget.endMinute(
        (kind, who, times) ->
            LOG.atInfo()
                .addKeyValue(kind == Kind.ACCOUNT_REFUSED ? "account" : "address", who)
                .addKeyValue("refused", kind != Kind.STRANGER)
                .addKeyValue("more", times)
                .log("requests"));
  }
}
