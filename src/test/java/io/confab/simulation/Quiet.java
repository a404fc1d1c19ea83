package io.confab.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/// Silences what the classes under simulation log of the faults that are made for them.
final class Quiet {
  private Quiet() {}

  static void logs() {
    if (LoggerFactory.getLogger("io.confab") instanceof Logger logger) {
      logger.setLevel(Level.OFF);
    }
  }
}
