package io.confab.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Silences what the classes under simulation log of the faults that are made for them.
final class Quiet {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.confab");
  private @Nullable Level before;

  void begin() {
    before = logger.getLevel();
    logger.setLevel(Level.OFF);
  }

  void end() {
    logger.setLevel(before);
  }
}
