package io.confab.security;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Writes each event as a line of the logger `security`, which can be routed for itself, and counts
/// it. A flood is bounded: what an address does beyond the lines of its event is told once a minute
/// as a number, and so is what all do beyond [#MOST_SOURCES]. For any thread.
public final class SecurityLog {
  static final int MOST_SOURCES = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger("security");
  private static final String OTHERS = "others";

  private final Consumer<SecurityEvent> counted;
  private final Map<Source, Integer> minute = new HashMap<>();

  /// @param address of a client, a network of clients, or of many
  private record Source(SecurityEvent event, String address) {}

  /// @param counted hears of each event
  public SecurityLog(Consumer<SecurityEvent> counted) {
    this.counted = counted;
  }

  /// @param about what else is known, by key; no secret, and nothing that a client made up
  public void happened(SecurityEvent event, String address, Map<String, ?> about) {
    counted.accept(event);
    if (event.lines() == Integer.MAX_VALUE || isToBeTold(event, address)) {
      LoggingEventBuilder line = LOG.atInfo().addKeyValue("address", address);
      about.forEach(
          (key, value) -> {
            var _ = line.addKeyValue(key, value);
          });
      line.log(event.wire());
    }
  }

  private synchronized boolean isToBeTold(SecurityEvent event, String address) {
    Source source = new Source(event, address);
    if (minute.size() >= MOST_SOURCES && !minute.containsKey(source)) {
      minute.merge(new Source(event, OTHERS), 1, Integer::sum);
      return false;
    }
    return minute.merge(source, 1, Integer::sum) <= event.lines();
  }

  /// Ends a minute: tells how often each event happened without a line.
  public void endMinute() {
    takeMinute()
        .forEach(
            (source, times) -> {
              int told = source.address().equals(OTHERS) ? 0 : source.event().lines();
              if (times > told) {
                LOG.atInfo()
                    .addKeyValue("address", source.address())
                    .addKeyValue("more", times - told)
                    .log(source.event().wire());
              }
            });
  }

  private synchronized Map<Source, Integer> takeMinute() {
    Map<Source, Integer> past = Map.copyOf(minute);
    minute.clear();
    return past;
  }
}
