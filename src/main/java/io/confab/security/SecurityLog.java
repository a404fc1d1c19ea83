package io.confab.security;

import io.confab.logging.LineBudget;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Writes each event as a line of the logger `security`, which can be routed for itself, and counts
/// it. A flood is bounded: what an address does beyond the lines of its event is told once a minute
/// as a number. For any thread.
public final class SecurityLog {
  private static final Logger LOG = LoggerFactory.getLogger("security");

  private final Consumer<SecurityEvent> counted;
  private final LineBudget<SecurityEvent> budget = new LineBudget<>(SecurityEvent::lines);

  /// @param counted hears of each event
  public SecurityLog(Consumer<SecurityEvent> counted) {
    this.counted = counted;
  }

  /// @param address of a client, a network of clients, or of many
  /// @param about what else is known, by key; no secret, and nothing that a client made up
  public void happened(SecurityEvent event, String address, Map<String, ?> about) {
    counted.accept(event);
    if (event.lines() == Integer.MAX_VALUE || budget.take(event, address)) {
      LoggingEventBuilder line = LOG.atInfo().addKeyValue("address", address);
      about.forEach(
          (key, value) -> {
            var _ = line.addKeyValue(key, value);
          });
      line.log(event.wire());
    }
  }

  /// Ends a minute: tells how often each event happened without a line.
  public void endMinute() {
    budget.endMinute(
        (event, address, times) ->
            LOG.atInfo()
                .addKeyValue("address", address)
                .addKeyValue("more", times)
                .log(event.wire()));
  }
}
